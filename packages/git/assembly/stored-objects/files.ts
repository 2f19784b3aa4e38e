import { need, READ } from './needs';
import { FILES, MOST_FILES, take } from './room';

// Of each file two parts are in memory, its windows: what a change made new lies apart from what was there before.

const ROW: usize = 32;
const AT: usize = 0;
const SIZE: usize = 8;
const ADDRESS: usize = 12;
const CAPACITY: usize = 16;
/** How much will be read at least the next time, and how much that may become. */
const AHEAD: usize = 20;
const MOST_AHEAD: usize = 24;
const IS_END: usize = 28;

const FIRST_AHEAD: u32 = 16 * 1024;

let fileCount: i32 = 0;
/** How many bytes lie where `bytesAt` has pointed to, at least those that were asked for unless the file ends. */
export let available: usize = 0;

// The window that is being filled.
let row: usize = 0;
let begin: u64 = 0;
let asked: u64 = 0;
let length: u32 = 0;

/** The number of a new file. `capacity`: the most that can be asked for; it and `mostAhead` are powers of two. */
export function addFile(capacity: u32, mostAhead: u32): i32 {
  if (fileCount === MOST_FILES) unreachable();
  const file = fileCount++;
  addWindow(rowOf(file), capacity, mostAhead);
  addWindow(rowOf(file) + ROW, capacity, mostAhead);
  return file;
}

function rowOf(file: i32): usize {
  return FILES + <usize>file * 2 * ROW;
}

function addWindow(at: usize, capacity: u32, mostAhead: u32): void {
  memory.fill(at, 0, ROW);
  store<u32>(at + ADDRESS, <u32>take(capacity));
  store<u32>(at + CAPACITY, capacity);
  store<u32>(at + AHEAD, min(FIRST_AHEAD, mostAhead));
  store<u32>(at + MOST_AHEAD, mostAhead);
}

/** Where bytes of a file lie; 0 if they have to be read first. Good until other bytes of the file are asked for. */
export function bytesAt(file: i32, place: u64, size: usize): usize {
  const first = rowOf(file);
  const found = look(first, place, size);
  if (found !== 0) return found;
  const other = look(first + ROW, place, size);
  if (other === 0) askFor(file, place, size);
  // What was used last comes first, and the other one is given up for what is read next.
  swap(first);
  return other;
}

function look(at: usize, place: u64, size: usize): usize {
  const from = load<u64>(at + AT);
  const filled = <u64>load<u32>(at + SIZE);
  if (place < from || place - from >= filled) return 0;
  const behind = <usize>(place - from);
  available = <usize>filled - behind;
  return available >= size || load<u32>(at + IS_END) === 1 ? <usize>load<u32>(at + ADDRESS) + behind : 0;
}

function swap(first: usize): void {
  const one = v128.load(first);
  const two = v128.load(first + 16);
  v128.store(first, v128.load(first + ROW));
  v128.store(first + 16, v128.load(first + ROW + 16));
  v128.store(first + ROW, one);
  v128.store(first + ROW + 16, two);
}

/** Each time twice as much, for who asks again is likely to ask for what is near. It goes to the second window, which is then the first. */
function askFor(file: i32, place: u64, size: usize): void {
  const at = rowOf(file) + ROW;
  if (!fits(file, size)) unreachable();
  const ahead = load<u32>(at + AHEAD);
  store<u32>(at + AHEAD, min(ahead * 2, load<u32>(at + MOST_AHEAD)));
  row = rowOf(file);
  asked = place;
  begin = place & ~(<u64>ahead - 1);
  length = ahead;
  if (place + <u64>size > begin + <u64>ahead) {
    begin = place;
    length = max(ahead, <u32>size);
  }
  need(READ, file, begin, length, <usize>load<u32>(at + ADDRESS));
}

/** Whether so many bytes can be asked for. */
export function fits(file: i32, size: usize): boolean {
  return size <= <usize>load<u32>(rowOf(file) + CAPACITY);
}

/** So many bytes were read. */
export function noteRead(count: u32): void {
  if (count > length || begin + <u64>count <= asked) unreachable();
  store<u64>(row + AT, begin);
  store<u32>(row + SIZE, count);
  store<u32>(row + IS_END, count < length ? 1 : 0);
}
