import { copyId } from './bytes';
import { applyDelta, sizeMadeBy } from './delta';
import { available, bytesAt, fits } from './files';
import { inflate } from './inflate';
import { APART, need } from './needs';
import { FOUND, find, foundAt, NEEDS, startFinding } from './pack';
import { BASE_ID, CHAIN, LARGEST, LONGEST_CHAIN, take, takeContent } from './room';

// An object of a pack: an entry, or a chain of deltas that ends at one.

const OFFSET_DELTA: u32 = 6;
const ID_DELTA: u32 = 7;
/** Type, size and base of an entry are no longer. */
const ENTRY_HEAD: usize = 48;
/** The two sizes at the head of a delta are no longer, and deflated, with the codes that come first, no longer than that. */
const DELTA_HEAD: usize = 16;
const DEFLATED_DELTA_HEAD: usize = 512;

/** What came out. The type is that of the entry. */
export let madeType: u32 = 0;
export let madeAt: usize = 0;
export let madeSize: usize = 0;

let pack: i32 = 0;
let offset: u64 = 0;
let length: i32 = 0;
/** The most that one of the deltas makes. */
let most: usize = 0;
/** An entry that fits into no window: where it lies, and how much of it was read. */
let apart: usize = 0;
let apartSize: usize = 0;
let isBaseSought: boolean = false;

// Of the head that was read last.
let entryType: u32 = 0;
let entrySize: usize = 0;
let headSize: usize = 0;
let base: u64 = 0;

export function startChain(inPack: i32, at: u64): void {
  pack = inPack;
  offset = at;
  length = 0;
  most = 0;
  apart = 0;
  apartSize = 0;
  isBaseSought = false;
}

/** False if something is needed first; then it goes on where it was. */
export function makeObject(): boolean {
  let content: usize = 0;
  do {
    if (isBaseSought && !findBase()) return false;
    content = readEntry();
    if (content === 0) return false;
  } while (isDelta(content));
  finish(content);
  return true;
}

/** The size of the object alone, which its entry says, or the delta that is one. False if something is needed first. */
export function measure(): boolean {
  const head = bytesAt(pack * 2 + 1, offset, ENTRY_HEAD + DEFLATED_DELTA_HEAD);
  if (head === 0) return false;
  const end = head + available;
  readHead(head);
  madeSize = entrySize;
  if (entryType === OFFSET_DELTA || entryType === ID_DELTA) {
    const delta = take(DELTA_HEAD);
    madeSize = sizeMadeBy(delta, delta + min(inflate(head + headSize, end, delta, DELTA_HEAD), DELTA_HEAD));
  }
  return true;
}

/** Whether another entry has to be read for what has been. */
function isDelta(content: usize): boolean {
  if (entryType !== OFFSET_DELTA && entryType !== ID_DELTA) return false;
  push(content);
  offset = base;
  if (entryType === ID_DELTA) {
    isBaseSought = true;
    startFinding();
  }
  return true;
}

/** Packs hold the bases of their deltas themselves. */
function findBase(): boolean {
  const found = find(pack, BASE_ID);
  if (found === NEEDS) return false;
  if (found !== FOUND) unreachable();
  offset = foundAt;
  isBaseSought = false;
  return true;
}

/** The content of an entry, inflated; 0 if something is needed first. */
function readEntry(): usize {
  const file = pack * 2 + 1;
  const head = bytesAt(file, offset, ENTRY_HEAD);
  if (head === 0) return 0;
  readHead(head);
  if (entrySize > LARGEST) unreachable();
  // Deflating adds so much to what it cannot make smaller.
  const size = headSize + entrySize + entrySize / 1024 + 64;
  const isApart = !fits(file, size);
  const entry = isApart ? readApart(file, size) : bytesAt(file, offset, size);
  if (entry === 0) return 0;
  const end = entry + (isApart ? apartSize : available);
  const content = takeContent(entrySize);
  if (inflate(entry + headSize, end, content, entrySize) !== entrySize) unreachable();
  return content;
}

function readApart(file: i32, size: usize): usize {
  if (apart === 0) {
    apart = take(size);
    need(APART, file, offset, size, apart);
    return 0;
  }
  const entry = apart;
  apart = 0;
  return entry;
}

/** So many bytes of what is read apart are there. */
export function noteApart(count: usize): void {
  apartSize = count;
}

function readHead(head: usize): void {
  let at = head;
  let byte = <u32>load<u8>(at++);
  entryType = (byte >> 4) & 7;
  let size = <u64>(byte & 15);
  for (let shift: u64 = 4; byte & 0x80; shift += 7) {
    if (shift > 32) unreachable();
    byte = <u32>load<u8>(at++);
    size |= (<u64>(byte & 0x7f)) << shift;
  }
  entrySize = <usize>min(size, <u64>LARGEST + 1);
  if (entryType === OFFSET_DELTA) at = readDistance(at);
  if (entryType === ID_DELTA) {
    copyId(BASE_ID, at);
    at += 20;
  }
  headSize = at - head;
}

/** How far before the delta its base begins. */
function readDistance(from: usize): usize {
  let at = from;
  let byte = <u64>load<u8>(at++);
  let distance = byte & 0x7f;
  for (let digits = 0; byte & 0x80; digits++) {
    if (digits > 6) unreachable();
    byte = <u64>load<u8>(at++);
    distance = ((distance + 1) << 7) | (byte & 0x7f);
  }
  if (distance === 0 || distance > offset) unreachable();
  base = offset - distance;
  return at;
}

function push(delta: usize): void {
  if (length === LONGEST_CHAIN) unreachable();
  const row = CHAIN + 8 * <usize>length;
  store<u32>(row, <u32>delta);
  store<u32>(row + 4, <u32>entrySize);
  most = max(most, sizeMadeBy(delta, delta + entrySize));
  if (most > LARGEST) unreachable();
  length += 1;
}

/** The deltas from the last to the first, each for what came out of the one behind it. */
function finish(content: usize): void {
  if (entryType === 0 || entryType > 4) unreachable();
  madeType = entryType;
  madeAt = content;
  madeSize = entrySize;
  if (length === 0) return;
  let to = takeContent(most);
  let other = length > 1 ? takeContent(most) : to;
  for (let at = length - 1; at >= 0; at--) {
    const row = CHAIN + 8 * <usize>at;
    madeSize = applyDelta(madeAt, madeSize, <usize>load<u32>(row), <usize>load<u32>(row + 4), to);
    madeAt = to;
    to = other;
    other = madeAt;
  }
}
