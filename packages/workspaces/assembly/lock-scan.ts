/**
 * Finds the workspaces and who asks for whom in the bytes of a yarn.lock of Yarn 2 or later. It does what `MemberEdges` does line by line,
 * but as machine code from the first byte on: in a process of fifty milliseconds JavaScript is hardly compiled when it is over.
 *
 * It reads what is written exactly as Yarn writes it and says so of everything else, which the other reader then looks at. To be called
 * in the order of this file; one instance reads one text. All answers are rows of 32-bit numbers, places counted from the begin of the text.
 */
import { noteEntries as noteAll } from './lock-scan/all-entries';
import { readEntries } from './lock-scan/entries';
import { edgeCount, isAskedOutside as isAsked, oddCount, readLines } from './lock-scan/lines';
import { listMembers, noteMembers, noteOthers } from './lock-scan/names';
import { isPlain } from './lock-scan/plain';
import { keptCount, leftCount, noteRuled as noteAllRuled, numberKept, reachFrom as reach, wayCount } from './lock-scan/reach';
import { kept, layOut, left, members, names, odd, sorted, starts, steps, text, textEnd, ways } from './lock-scan/room';
import { spread as walk } from './lock-scan/spread';

/** Where the text has to be laid, of so many bytes, or 0 if there is no room. */
export function roomForText(size: usize): usize {
  return layOut(size, 0) ? text : 0;
}

/** Makes room for so many bytes of further names; to be called when the text is there. False if there is none. */
export function prepare(nameSize: usize): boolean {
  return layOut(textEnd - text, nameSize);
}

/** False if anything is unusual: then nothing may be asked any more. */
export function findMembers(): boolean {
  return readEntries() && noteMembers();
}

/** For each member, in the order of the text, eleven numbers: `ROW` in `room.ts`. */
export function membersAt(): usize {
  return members;
}

/** Where the names and folders of all members stand in their order, `name` and `folder`, each with an end of a line behind it; of the root no folder. */
export function listAt(): usize {
  return ways;
}

/** How many bytes they take; 0 if there is no room for them, or no member. */
export function listSize(): usize {
  return listMembers();
}

/** Where further names are laid, each with a zero behind it: lines that ask for one of them are left to the caller. */
export function namesAt(): usize {
  return names;
}

/** False if a line is unusual. `size`: of the further names, in bytes. */
export function findEdges(size: usize): boolean {
  noteOthers(size);
  return readLines();
}

/** For each member where its edges begin, and a number for where the last of them end. */
export function startsAt(): usize {
  return starts;
}

/** For each edge the member that asks, doubled, and one more for a peer. */
export function edgesAt(): usize {
  return sorted;
}

export function countEdges(): i32 {
  return edgeCount;
}

/** Lines that are left to the caller: the member that asks, and where the line begins. */
export function oddAt(): usize {
  return odd;
}

export function countOdd(): i32 {
  return oddCount;
}

/** Where the doubled places are laid that a walk begins with, each in a row of two numbers: `spread.ts`. */
export function stepsAt(): usize {
  return steps;
}

/** Walks from so many of them; how many rows there are then. To be called when the edges are found. */
export function spread(seeds: i32): i32 {
  return walk(seeds);
}

export function isAskedOutside(place: i32): boolean {
  return isAsked(place);
}

/** Of the whole text; asked only where entries are compared. */
export function isAsYarnWrites(): boolean {
  return isPlain();
}

// What leads to members through packages from outside.

/** False if an entry is unusual. The text has to be plain. */
export function noteEntries(): boolean {
  return noteAll();
}

/** Names that were laid where `namesAt` says, in so many bytes: lines that have one of them are left to the caller. */
export function noteRuled(size: usize): void {
  noteAllRuled(size);
}

/** Notes who depends on a member by its name, and who depends on those who are no members, and so on; false if a line is unusual. */
export function reachFrom(place: i32): boolean {
  return reach(place);
}

/** How many entries lead to the members, those of the same names included. After this nothing more can be reached. */
export function countKept(): i32 {
  numberKept();
  return keptCount;
}

/** For each of them, in the order of the text, six numbers: `KEPT_ROW` in `room.ts`. */
export function keptAt(): usize {
  return kept;
}

/** For each line that says by itself what it leads to, the entry that it leads to and the one that it stands in, by their places among the kept. */
export function waysAt(): usize {
  return ways;
}

export function countWays(): i32 {
  return wayCount;
}

/** Lines that are left to the caller: the entry, by its place among the kept, and where the name begins. */
export function leftAt(): usize {
  return left;
}

export function countLeft(): i32 {
  return leftCount;
}
