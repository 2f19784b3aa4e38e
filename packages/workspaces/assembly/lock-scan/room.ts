// Where everything lies in memory. Room that nothing is written to costs nothing, so each table has room for the most there can be.

import { LINE_END } from './text';

const PAGE: usize = 65536;
/** The words of this program lie in front of it. */
const TEXT: usize = 4096;
/** Behind the text, all of it ends of lines: so each line has one, and sixteen bytes can be looked at wherever one of the text can. */
const MARGIN: usize = 32;
/** Of a larger text or so many names the tables could take more than there can be. */
const MOST: usize = 1 << 26;

/** One row for each member: where its entry and the parts of it begin and end. */
export const ROW: usize = 44;
export const START: usize = 0;
export const END: usize = 4;
export const NAME_END: usize = 8;
export const KEY_END: usize = 12;
export const PATH: usize = 16;
export const PATH_END: usize = 20;
export const ASKED: usize = 24;
export const ASKED_END: usize = 28;
export const PEERS: usize = 32;
export const PEERS_END: usize = 36;
/** The number of its first descriptor. */
export const FIRST: usize = 40;

/** Two numbers: who asks, and for whom or where. */
export const PAIR: usize = 8;
/** Where a name begins and ends, and whose it is. */
export const SLOT: usize = 12;

/**
 * Two numbers for each member on a walk to all who depend on some: the edge that led to it, which is its place doubled, and one more for a peer; and
 * who it was reached from. `known` has one byte for each member: it is on the walk.
 */
export const STEP: usize = 8;

/** One row for each entry: where its key and its locator begin and end, which member it is, where the nodes of its key begin and end, and more. */
export const ENTRY: usize = 32;
export const KEY: usize = 0;
export const KEY_TO: usize = 4;
export const LOCATOR: usize = 8;
export const LOCATOR_TO: usize = 12;
export const MEMBER: usize = 16;
export const NODES: usize = 20;
export const NODES_TO: usize = 24;
/** Nought, then `KEPT`; in the end which of those kept it is. */
export const STATE: usize = 28;

/** One node for each descriptor of a key and for each dependency: the next one of its chain, where it begins, where its name ends, its entry, and flags. */
export const NODE: usize = 20;
export const NEXT: usize = 0;
export const BEGIN: usize = 4;
export const NAME_TO: usize = 8;
export const OWNER: usize = 12;
export const FLAGS: usize = 16;

/** Nodes by the hash of their names: the first and the last of a key, the first and the last of a dependency. */
export const CHAIN: usize = 16;
export const KEYS: usize = 0;
export const LINES: usize = 8;

/** For each entry that is kept six numbers: where key and locator begin and end, the member or -1, whether it has a name that is left. */
export const KEPT_ROW: usize = 24;

/** What is laid in `names` may have so many bytes, even if `layOut` was told fewer. */
const NAME_ROOM: usize = PAGE;

export let text: usize = 0;
export let textEnd: usize = 0;
export let members: usize = 0;
export let marks: usize = 0;
export let slots: usize = 0;
export let slotCount: u32 = 0;
/** Twice as many as there can be names. */
let slotRoom: u32 = 0;
/** The most that there can be beside those of the members. */
let furtherNames: usize = 0;
export let edges: usize = 0;
export let odd: usize = 0;
export let starts: usize = 0;
export let sorted: usize = 0;
export let steps: usize = 0;
export let known: usize = 0;
export let entries: usize = 0;
export let keys: usize = 0;
export let lines: usize = 0;
export let chains: usize = 0;
export let chainCount: u32 = 0;
export let queue: usize = 0;
export let kept: usize = 0;
export let ways: usize = 0;
export let left: usize = 0;
export let names: usize = 0;

/**
 * How many entries, descriptors and lines of dependencies there is room for. In real lockfiles there are a third as many; room for all that could
 * be would make the engine take the process for one with much memory, and clean up.
 */
export let entryRoom: i32 = 0;
export let nodeRoom: i32 = 0;

/** For a text of this many bytes and names of that many beside; memory that was never used is all zero. False if there is no room. */
export function layOut(size: usize, nameSize: usize): boolean {
  if (size > MOST || nameSize > MOST) return false;
  // The shortest entry of a workspace takes some sixty bytes, the shortest line that asks for one nine, a descriptor four.
  const rows = size / 32 + 2;
  const lineRoom = size / 8 + 2;
  furtherNames = nameSize / 2;
  slotRoom = 64;
  while (<usize>slotRoom < 2 * (rows + furtherNames)) slotRoom *= 2;
  text = TEXT;
  textEnd = text + size;
  members = after(textEnd + MARGIN);
  marks = after(members + rows * ROW);
  slots = after(marks + size / 2);
  edges = after(slots + <usize>slotRoom * SLOT);
  odd = after(edges + lineRoom * PAIR);
  starts = after(odd + lineRoom * PAIR);
  sorted = after(starts + rows * 4);
  steps = after(sorted + lineRoom * 4);
  known = after(steps + rows * STEP);
  entries = after(known + rows);
  entryRoom = <i32>(size / 64 + 2);
  nodeRoom = <i32>(size / 16 + 2);
  keys = after(entries + <usize>entryRoom * ENTRY);
  lines = after(keys + <usize>nodeRoom * NODE);
  chainCount = 64;
  while (<usize>chainCount < size / 256) chainCount *= 2;
  chains = after(lines + <usize>nodeRoom * NODE);
  queue = after(chains + <usize>chainCount * CHAIN);
  kept = after(queue + <usize>entryRoom * 4);
  ways = after(kept + <usize>entryRoom * KEPT_ROW);
  left = after(ways + <usize>nodeRoom * PAIR);
  names = after(left + <usize>nodeRoom * PAIR);
  const nameRoom = nameSize > NAME_ROOM ? nameSize : NAME_ROOM;
  const pages = <i32>((names + nameRoom + MARGIN) / PAGE + 1);
  if (memory.size() < pages && memory.grow(pages - memory.size()) === -1) return false;
  memory.fill(textEnd, <u8>LINE_END, MARGIN);
  return true;
}

/**
 * How many slots are used, once the members are counted: eight times as many as names if there is room, for most names that are looked for are
 * not there, which a free slot says at once. With many more of them, more pages of the memory would be touched, and each has to be made first.
 */
export function sizeSlots(memberNames: usize): void {
  slotCount = 64;
  while (slotCount < slotRoom && <usize>slotCount < 8 * (memberNames + furtherNames)) slotCount *= 2;
}

function after(end: usize): usize {
  return (end + 15) & ~(<usize>15);
}

/** Where the row of a member lies. */
export function rowOf(place: i32): usize {
  return members + <usize>place * ROW;
}

/** A place that a row tells. */
export function read(row: usize, field: usize): usize {
  return text + <usize>load<u32>(row + field);
}

export function write(row: usize, field: usize, at: usize): void {
  store<u32>(row + field, <u32>(at - text));
}
