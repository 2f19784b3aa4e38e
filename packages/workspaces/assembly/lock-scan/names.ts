import { memberCount } from './entries';
import { left, NAME_END, names, PATH, PATH_END, read, rowOf, SLOT, START, sizeSlots, slotCount, slots, text, ways } from './room';
import { byteAt, DOT, hashOf, isSame, LINE_END } from './text';

/** In place of a member: whose name it is has to be found out by the reader that knows all about names. */
export const ASK: i32 = -2;
export const NOBODY: i32 = -1;

/** Notes the names of all members; false if two have the same one. */
export function noteMembers(): boolean {
  sizeSlots(<usize>memberCount);
  for (let place = 0; place < memberCount; place++) {
    const row = rowOf(place);
    if (!note(read(row, START) + 1, read(row, NAME_END), place)) return false;
  }
  return true;
}

/** Writes the names and folders of all members, one to a line, to where nothing else is written before they have been read; 0 if there is no room. */
export function listMembers(): usize {
  const end = left;
  let at = ways;
  for (let place = 0; place < memberCount; place++) {
    const row = rowOf(place);
    const name = read(row, START) + 1;
    const path = read(row, PATH);
    const nameSize = read(row, NAME_END) - name;
    const pathSize: usize = byteAt(path) === DOT ? 0 : read(row, PATH_END) - path;
    if (at + nameSize + pathSize + 2 > end) return 0;
    at = writeLine(at, name, nameSize);
    at = writeLine(at, path, pathSize);
  }
  return at - ways;
}

function writeLine(at: usize, from: usize, size: usize): usize {
  memory.copy(at, from, size);
  store<u8>(at + size, <u8>LINE_END);
  return at + size + 1;
}

/** Notes further names, each with a zero behind it. */
export function noteOthers(size: usize): void {
  let begin = names;
  for (let at = names; at < names + size; at++) {
    if (load<u8>(at) !== 0) continue;
    note(begin, at, ASK);
    begin = at + 1;
  }
}

/** False if the name is known already. */
function note(from: usize, end: usize, place: i32): boolean {
  const slot = slotOf(from, end);
  if (load<u32>(slot + 4) !== 0) return false;
  store<u32>(slot, <u32>(from - text));
  store<u32>(slot + 4, <u32>(end - text));
  store<i32>(slot + 8, place);
  return true;
}

/** The member that goes by a name, `ASK` or `NOBODY`. */
export function findName(from: usize, end: usize): i32 {
  const slot = slotOf(from, end);
  return load<u32>(slot + 4) === 0 ? NOBODY : load<i32>(slot + 8);
}

/** The slot of a name, or the free one where it belongs. There are always free ones. */
function slotOf(from: usize, end: usize): usize {
  const mask = slotCount - 1;
  let at = hashOf(from, end) & mask;
  while (!isFor(slots + <usize>at * SLOT, from, end)) at = (at + 1) & mask;
  return slots + <usize>at * SLOT;
}

/** Whether a slot is free or has this name. */
function isFor(slot: usize, from: usize, end: usize): boolean {
  const begin = <usize>load<u32>(slot);
  const known = <usize>load<u32>(slot + 4);
  return known === 0 || (known - begin === end - from && isSame(text + begin, from, end - from));
}
