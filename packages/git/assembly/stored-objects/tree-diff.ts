import { compareIds, copyId, findZero, isSame } from './bytes';
import { objectAt, objectSize, objectType, readObject, TREE } from './object';
import { FOLDER, FOLDER_SIZE, FRAMES, giveBack, ID, MOST_FRAMES, MOST_ROWS, OTHER_ID, PATHS, PATHS_END, ROW, ROWS, taken } from './room';

// What differs between two trees.

/** Two folders under comparison: what is left of each, its id or 0, where its path ends, what the stack was before, how much is read. */
const FRAME: usize = 48;
const OLD: usize = 0;
const OLD_END: usize = 4;
const NOW: usize = 8;
const NOW_END: usize = 12;
const OLD_ID: usize = 16;
const NOW_ID: usize = 20;
const PATH_SIZE: usize = 24;
const STACK: usize = 28;
const READ: usize = 32;

/** More than this git compares faster. */
const MOST_TREES: i32 = 4000;
const FOLDER_MODE: u32 = 0o040000;
const SLASH: u32 = 0x2f;

/** Each row: the modes, 0 where the file is not there, the ids, and where in `PATHS` its path lies. */
export let rowCount: usize = 0;

let pathsEnd: usize = PATHS;
let depth: i32 = 0;
let treeCount: i32 = 0;

/** The ids of the two trees lie at `ID` and `OTHER_ID`. */
export function startDiff(): void {
  rowCount = 0;
  pathsEnd = PATHS;
  depth = 0;
  treeCount = 0;
  if (compareIds(ID, OTHER_ID) !== 0) push(ID, OTHER_ID, 0);
}

/** False if something is needed first. */
export function diff(): boolean {
  while (depth > 0) {
    const frame = FRAMES + <usize>(depth - 1) * FRAME;
    if (!readTrees(frame)) return false;
    compareFolders(frame);
  }
  return true;
}

function push(old: usize, now: usize, pathSize: usize): void {
  if (depth === MOST_FRAMES) unreachable();
  const frame = FRAMES + <usize>depth * FRAME;
  depth += 1;
  memory.fill(frame, 0, FRAME);
  store<u32>(frame + OLD_ID, <u32>old);
  store<u32>(frame + NOW_ID, <u32>now);
  store<u32>(frame + PATH_SIZE, <u32>pathSize);
  store<u32>(frame + STACK, <u32>taken());
}

function readTrees(frame: usize): boolean {
  for (let side = load<u32>(frame + READ); side < 2; side++) {
    store<u32>(frame + READ, side);
    const id = <usize>load<u32>(frame + OLD_ID + 4 * <usize>side);
    if (id === 0) continue;
    if (!readObject(id)) return false;
    if (objectType !== TREE || ++treeCount > MOST_TREES) unreachable();
    store<u32>(frame + OLD + 8 * <usize>side, <u32>objectAt);
    store<u32>(frame + OLD_END + 8 * <usize>side, <u32>(objectAt + objectSize));
  }
  store<u32>(frame + READ, 2);
  return true;
}

// The entry of each side that is looked at.
let oldMode: u32 = 0;
let oldName: usize = 0;
let oldZero: usize = 0;
let nowMode: u32 = 0;
let nowName: usize = 0;
let nowZero: usize = 0;

/** Goes on until a folder has to be looked into, or to the end. */
function compareFolders(frame: usize): void {
  const level = depth;
  const oldEnd = <usize>load<u32>(frame + OLD_END);
  const nowEnd = <usize>load<u32>(frame + NOW_END);
  let old = <usize>load<u32>(frame + OLD);
  let now = <usize>load<u32>(frame + NOW);
  while (depth === level) {
    if (old === oldEnd && now === nowEnd) {
      giveBack(<usize>load<u32>(frame + STACK));
      depth -= 1;
      return;
    }
    const oldNext = entryEnd(old, oldEnd);
    const size = oldNext - old;
    if (size !== 0 && size <= nowEnd - now && isSame(old, now, size)) {
      old = oldNext;
      now += size;
      continue;
    }
    const nowNext = entryEnd(now, nowEnd);
    readOld(old, oldNext);
    readNow(now, nowNext);
    const order = size === 0 ? 1 : now === nowNext ? -1 : compareNames();
    if (order <= 0) old = oldNext;
    if (order >= 0) now = nowNext;
    store<u32>(frame + OLD, <u32>old);
    store<u32>(frame + NOW, <u32>now);
    note(order, <usize>load<u32>(frame + PATH_SIZE));
  }
}

/** Where the next entry begins; where there is none, the end. */
function entryEnd(at: usize, end: usize): usize {
  if (at === end) return end;
  const next = findZero(at, end) + 21;
  if (next > end) unreachable();
  return next;
}

let modeEnd: usize = 0;

function readOld(at: usize, next: usize): void {
  if (at === next) return;
  oldMode = readMode(at);
  oldName = modeEnd + 1;
  oldZero = next - 21;
  if (oldName > oldZero) unreachable();
}

function readNow(at: usize, next: usize): void {
  if (at === next) return;
  nowMode = readMode(at);
  nowName = modeEnd + 1;
  nowZero = next - 21;
  if (nowName > nowZero) unreachable();
}

/** Old tools wrote other permissions; git goes by the type, and of files by whether their owner may run them. */
function readMode(from: usize): u32 {
  let mode: u32 = 0;
  let at = from;
  for (; load<u8>(at) !== 0x20; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 7 || at - from > 6) unreachable();
    mode = mode * 8 + digit;
  }
  modeEnd = at;
  const type = mode & 0o170000;
  if (type === 0o100000) return mode & 0o100 ? 0o100755 : 0o100644;
  return type === 0o040000 || type === 0o120000 ? type : 0o160000;
}

/** A folder sorts as if its name ended in a slash, so that it and a file of its name are two. */
function compareNames(): i32 {
  const oldSize = oldZero - oldName;
  const nowSize = nowZero - nowName;
  const size = min(oldSize, nowSize);
  for (let at: usize = 0; at < size; at++) {
    const a = load<u8>(oldName + at);
    const b = load<u8>(nowName + at);
    if (a !== b) return a < b ? -1 : 1;
  }
  const a = oldSize > size ? <u32>load<u8>(oldName + size) : oldMode === FOLDER_MODE ? SLASH : 0;
  const b = nowSize > size ? <u32>load<u8>(nowName + size) : nowMode === FOLDER_MODE ? SLASH : 0;
  // Of two folders only one of which has come to its end, that one's slash stands against a letter.
  if (a !== b) return a < b ? -1 : 1;
  return oldSize === nowSize ? 0 : oldSize < nowSize ? -1 : 1;
}

/** The entries of one name on both sides, or of one side alone. */
function note(order: i32, pathSize: usize): void {
  const isOld = order <= 0;
  const isNow = order >= 0;
  if (isOld && isNow && oldMode === nowMode && compareIds(oldZero + 1, nowZero + 1) === 0) return;
  const name = isOld ? oldName : nowName;
  const nameSize = (isOld ? oldZero : nowZero) - name;
  if (pathSize + nameSize + 1 > FOLDER_SIZE) unreachable();
  if ((isOld ? oldMode : nowMode) === FOLDER_MODE) {
    memory.copy(FOLDER + pathSize, name, nameSize);
    store<u8>(FOLDER + pathSize + nameSize, <u8>SLASH);
    push(isOld ? oldZero + 1 : 0, isNow ? nowZero + 1 : 0, pathSize + nameSize + 1);
  } else writeRow(isOld, isNow, pathSize, name, nameSize);
}

function writeRow(isOld: boolean, isNow: boolean, pathSize: usize, name: usize, nameSize: usize): void {
  if (rowCount === MOST_ROWS || pathsEnd + pathSize + nameSize > PATHS_END) unreachable();
  const row = ROWS + rowCount * ROW;
  rowCount += 1;
  memory.fill(row, 0, ROW);
  if (isOld) {
    store<u32>(row, oldMode);
    copyId(row + 8, oldZero + 1);
  }
  if (isNow) {
    store<u32>(row + 4, nowMode);
    copyId(row + 28, nowZero + 1);
  }
  store<u32>(row + 48, <u32>(pathsEnd - PATHS));
  memory.copy(pathsEnd, FOLDER, pathSize);
  memory.copy(pathsEnd + pathSize, name, nameSize);
  pathsEnd += pathSize + nameSize;
  store<u32>(row + 52, <u32>(pathsEnd - PATHS));
}
