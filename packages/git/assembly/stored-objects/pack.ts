import { compareIds, word } from './bytes';
import { addFile, available, bytesAt } from './files';
import { MOST_FILES, reserve, take } from './room';

// Packs with their indexes (gitformat-pack, version 2, SHA-1). The index of a pack has an even number as a file, the pack the next.

const HEAD: usize = 8;
const FANOUT: u64 = 8 + 256 * 4;
const ID: u64 = 20;
/** The most that can be asked for; what takes more is read apart. */
const INDEX_WINDOW: u32 = 512 * 1024;
const PACK_WINDOW: u32 = 128 * 1024;
const MOST_AHEAD: u32 = 64 * 1024;
/** An index that is no larger is read as a whole if it is asked for often. */
const SMALL: u32 = 512 * 1024;

export const FOUND: i32 = 1;
export const NOT_FOUND: i32 = 2;
export const NEEDS: i32 = 0;

export let packCount: i32 = 0;
/** Where the object begins that was found. */
export let foundAt: u64 = 0;

/** The heads of the indexes lie one behind the other. */
let heads: usize = 0;
let isAtOffset: boolean = false;
let place: u64 = 0;

/** To be called before packs are added: how many there will be. */
export function expectPacks(count: u32): void {
  reserve(<usize>count * 2 * (<usize>INDEX_WINDOW + <usize>PACK_WINDOW + 128));
}

/** Where the first 1032 bytes of the index of a new pack have to be laid. */
export function addPack(indexSize: u32): usize {
  const index = addFile(INDEX_WINDOW, indexSize <= SMALL ? SMALL : MOST_AHEAD);
  addFile(PACK_WINDOW, MOST_AHEAD);
  if (heads === 0) heads = take((<usize>MOST_FILES / 2) * <usize>FANOUT);
  packCount = index / 2 + 1;
  return headOf(index / 2);
}

function headOf(pack: i32): usize {
  return heads + <usize>pack * <usize>FANOUT;
}

export function isIndex(pack: i32): boolean {
  return word(headOf(pack)) === 0xff744f63 && word(headOf(pack) + 4) === 2;
}

function countTo(pack: i32, byte: u32): u64 {
  return <u64>word(headOf(pack) + HEAD + 4 * <usize>byte);
}

export function startFinding(): void {
  isAtOffset = false;
}

/** Looks an id up; it goes on where it was when something was needed. */
export function find(pack: i32, id: usize): i32 {
  if (!isAtOffset) {
    const found = findPlace(pack, id);
    if (found !== FOUND) return found;
    isAtOffset = true;
  }
  const found = findOffset(pack);
  if (found === FOUND) isAtOffset = false;
  return found;
}

function findPlace(pack: i32, id: usize): i32 {
  const byte = <u32>load<u8>(id);
  const from = byte === 0 ? 0 : countTo(pack, byte - 1);
  const to = countTo(pack, byte);
  if (to === from) return NOT_FOUND;
  if (to < from) unreachable();
  const size = <usize>((to - from) * ID);
  const ids = bytesAt(pack * 2, FANOUT + from * ID, size);
  if (ids === 0) return NEEDS;
  if (available < size) unreachable();
  let low: usize = 0;
  let high = <usize>(to - from);
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareIds(id, ids + middle * <usize>ID);
    if (order === 0) {
      place = from + <u64>middle;
      return FOUND;
    }
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return NOT_FOUND;
}

function findOffset(pack: i32): i32 {
  const at = bytesAt(pack * 2, FANOUT + countTo(pack, 255) * (ID + 4) + place * 4, 4);
  if (at === 0) return NEEDS;
  // The others are in packs above two gigabytes.
  if (available < 4 || word(at) >= 0x80000000) unreachable();
  foundAt = <u64>word(at);
  return FOUND;
}
