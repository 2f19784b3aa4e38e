import { CODE_LENGTHS, FIXED_TABLES, TABLES } from './room';

// Inflates (RFC 1950, RFC 1951). The checksum at the end is not looked at: whatever comes out is held against the id of the object.

/** The codes of up to so many bits are looked up, longer ones searched for bit by bit. */
const BITS: u32 = 10;
const LONGEST: i32 = 15;

/** A table: what to look up, how many codes there are of each length, the symbols in the order of their codes. */
const COUNTS: usize = 2048;
const SYMBOLS: usize = COUNTS + 32;
const TABLE: usize = 4096;

const LITERALS: i32 = 288;
const DISTANCES: i32 = 30;

const LENGTH_BASE = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_BITS = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]);
const DISTANCE_BASE = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
]);
const DISTANCE_BITS = memory.data<u8>([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]);
const LENGTHS_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

let hasFixed: boolean = false;

// Of the stream: the next byte that is not among the bits yet, the bits that are ahead, and how many of them count.
let next: usize = 0;
let end: usize = 0;
let bits: u64 = 0;
let count: u32 = 0;
// Of what comes out: its begin, what is there, and how far it may go.
let begin: usize = 0;
let out: usize = 0;
let limit: usize = 0;

/** More would have come out than there is room for. */
export const FULL: usize = usize.MAX_VALUE;

/** Inflates to a place with room for so many bytes, and says how many came; `FULL` after as many if that is not all. */
export function inflate(from: usize, fromEnd: usize, to: usize, room: usize): usize {
  if (fromEnd < from + 2) unreachable();
  const method = <u32>load<u8>(from);
  const flags = <u32>load<u8>(from + 1);
  if ((method & 15) !== 8 || (flags & 32) !== 0 || ((method << 8) | flags) % 31 !== 0) unreachable();
  next = from + 2;
  end = fromEnd;
  bits = 0;
  count = 0;
  begin = to;
  out = to;
  limit = to + room;
  for (let isLast: u64 = 0; isLast === 0; ) {
    isLast = take(1);
    const kind = take(2);
    let hasRoom = true;
    if (kind === 0) hasRoom = copyStored();
    else if (kind === 1) hasRoom = inflateFixed();
    else if (kind === 2) hasRoom = inflateDynamic();
    else unreachable();
    if (!hasRoom) return FULL;
  }
  // What was used must have been there.
  if (next - <usize>(count >> 3) > end) unreachable();
  return out - begin;
}

/** Fills the bits up to fifty-six and more. Eight bytes behind the end may be read: a stream that needs them is found out. */
function refill(): void {
  if (next > end + 8) unreachable();
  bits |= load<u64>(next) << (<u64>count);
  next += <usize>((63 - count) >> 3);
  count |= 56;
}

function take(size: u32): u64 {
  if (count < size) refill();
  const value = bits & (((<u64>1) << (<u64>size)) - 1);
  bits >>= <u64>size;
  count -= size;
  return value;
}

function copyStored(): boolean {
  take(count & 7);
  next -= <usize>(count >> 3);
  bits = 0;
  count = 0;
  if (next + 4 > end) unreachable();
  const size = <usize>load<u16>(next);
  if (size !== (~(<usize>load<u16>(next + 2)) & 0xffff)) unreachable();
  next += 4;
  if (next + size > end) unreachable();
  const fits = min(size, limit - out);
  memory.copy(out, next, fits);
  next += size;
  out += fits;
  return fits === size;
}

function inflateFixed(): boolean {
  if (!hasFixed) {
    memory.fill(CODE_LENGTHS, 8, 144);
    memory.fill(CODE_LENGTHS + 144, 9, 112);
    memory.fill(CODE_LENGTHS + 256, 7, 24);
    memory.fill(CODE_LENGTHS + 280, 8, 8);
    makeTable(FIXED_TABLES, CODE_LENGTHS, LITERALS);
    memory.fill(CODE_LENGTHS, 5, DISTANCES);
    makeTable(FIXED_TABLES + TABLE, CODE_LENGTHS, DISTANCES);
    hasFixed = true;
  }
  return inflateBlock(FIXED_TABLES);
}

function inflateDynamic(): boolean {
  const literals = <i32>take(5) + 257;
  const distances = <i32>take(5) + 1;
  const lengths = <i32>take(4) + 4;
  if (literals > 286 || distances > DISTANCES) unreachable();
  memory.fill(CODE_LENGTHS, 0, 19);
  for (let at = 0; at < lengths; at++) store<u8>(CODE_LENGTHS + <usize>load<u8>(LENGTHS_ORDER + <usize>at), <u8>take(3));
  makeTable(TABLES, CODE_LENGTHS, 19);
  readLengths(literals + distances);
  makeTable(TABLES + TABLE, CODE_LENGTHS + <usize>literals, distances);
  makeTable(TABLES, CODE_LENGTHS, literals);
  return inflateBlock(TABLES);
}

/** Reads the lengths of codes, which are themselves coded. */
function readLengths(wanted: i32): void {
  for (let at = 0; at < wanted; ) {
    if (count < 32) refill();
    const symbol = <i32>decode(TABLES);
    if (symbol < 16) {
      store<u8>(CODE_LENGTHS + <usize>at, <u8>symbol);
      at += 1;
      continue;
    }
    if (symbol === 16 && at === 0) unreachable();
    const value = symbol === 16 ? load<u8>(CODE_LENGTHS + <usize>at - 1) : 0;
    const times = symbol === 16 ? 3 + <i32>take(2) : symbol === 17 ? 3 + <i32>take(3) : 11 + <i32>take(7);
    if (at + times > wanted) unreachable();
    memory.fill(CODE_LENGTHS + <usize>at, value, times);
    at += times;
  }
}

/**
 * Makes the table of an alphabet from the lengths of its codes. Codes are looked up with their first bit lowest, so those of each length
 * are put into a table of two to that power, which is then doubled for the next.
 */
function makeTable(table: usize, lengths: usize, symbols: i32): void {
  memory.fill(table + COUNTS, 0, 32);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const counted = table + COUNTS + 2 * <usize>load<u8>(lengths + <usize>symbol);
    store<u16>(counted, load<u16>(counted) + 1);
  }
  store<u16>(table + COUNTS, 0);
  sortSymbols(table, lengths, symbols);
  let symbol = table + SYMBOLS;
  let code: u32 = 0;
  store<u16>(table, 0);
  for (let length: u32 = 1; length <= BITS; length++) {
    const half = (<usize>1) << (<usize>(length - 1));
    memory.copy(table + 2 * half, table, 2 * half);
    code <<= 1;
    for (let left = load<u16>(table + COUNTS + 2 * <usize>length); left > 0; left--) {
      if (code >> length !== 0) unreachable();
      store<u16>(table + 2 * <usize>reversed(code, length), (load<u16>(symbol) << 4) | <u16>length);
      symbol += 2;
      code++;
    }
  }
}

function sortSymbols(table: usize, lengths: usize, symbols: i32): void {
  // Where the symbols of each length begin; a table that is made of these alone is written over.
  const places = table;
  store<u16>(places + 2, 0);
  for (let length: usize = 1; length < <usize>LONGEST; length++) {
    store<u16>(places + 2 * length + 2, load<u16>(places + 2 * length) + load<u16>(table + COUNTS + 2 * length));
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + <usize>symbol);
    if (length === 0) continue;
    const place = load<u16>(places + 2 * length);
    store<u16>(places + 2 * length, place + 1);
    store<u16>(table + SYMBOLS + 2 * <usize>place, <u16>symbol);
  }
}

function reversed(code: u32, length: u32): u32 {
  let value = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555);
  value = ((value & 0x3333) << 2) | ((value >> 2) & 0x3333);
  value = ((value & 0x0f0f) << 4) | ((value >> 4) & 0x0f0f);
  value = ((value & 0x00ff) << 8) | ((value >> 8) & 0x00ff);
  return value >> (16 - length);
}

/** The next symbol; fifteen bits have to be there. */
function decode(table: usize): u32 {
  const entry = <u32>load<u16>(table + 2 * <usize>(bits & ((1 << BITS) - 1)));
  const found = entry === 0 ? search(table, bits) : entry;
  const length = found & 15;
  bits >>= <u64>length;
  count -= length;
  return found >> 4;
}

/** The symbol and the length of a code, bit by bit. */
function search(table: usize, ahead: u64): u32 {
  let code: i32 = 0;
  let first: i32 = 0;
  let place: i32 = 0;
  for (let length: i32 = 1; length <= LONGEST; length++) {
    code |= <i32>((ahead >> <u64>(length - 1)) & 1);
    const codes = <i32>load<u16>(table + COUNTS + 2 * <usize>length);
    if (code - first < codes) return ((<u32>load<u16>(table + SYMBOLS + 2 * <usize>(place + code - first))) << 4) | <u32>length;
    place += codes;
    first = (first + codes) << 1;
    code <<= 1;
  }
  unreachable();
  return 0;
}

/** What is read and written at every symbol is kept in variables of its own, which the engine keeps in registers. */
function inflateBlock(tables: usize): boolean {
  let ahead = bits;
  let valid = count;
  let to = out;
  const from = begin;
  const last = limit;
  for (;;) {
    if (valid < 48) {
      if (next > end + 8) unreachable();
      ahead |= load<u64>(next) << (<u64>valid);
      next += <usize>((63 - valid) >> 3);
      valid |= 56;
    }
    let entry = <u32>load<u16>(tables + 2 * <usize>(ahead & ((1 << BITS) - 1)));
    if (entry === 0) entry = search(tables, ahead);
    ahead >>= <u64>(entry & 15);
    valid -= entry & 15;
    if (entry < 256 << 4) {
      if (to === last) break;
      store<u8>(to, entry >> 4);
      to += 1;
      continue;
    }
    const code = <usize>(entry >> 4) - 257;
    if (code > 28) {
      if (entry >> 4 !== 256) unreachable();
      bits = ahead;
      count = valid;
      out = to;
      return true;
    }
    const lengthBits = <u64>load<u8>(LENGTH_BITS + code);
    let length = <usize>load<u16>(LENGTH_BASE + 2 * code) + <usize>(ahead & (((<u64>1) << lengthBits) - 1));
    ahead >>= lengthBits;
    valid -= <u32>lengthBits;
    entry = <u32>load<u16>(tables + TABLE + 2 * <usize>(ahead & ((1 << BITS) - 1)));
    if (entry === 0) entry = search(tables + TABLE, ahead);
    ahead >>= <u64>(entry & 15);
    valid -= entry & 15;
    const distanceBits = <u64>load<u8>(DISTANCE_BITS + <usize>(entry >> 4));
    const distance = <usize>load<u16>(DISTANCE_BASE + 2 * <usize>(entry >> 4)) + <usize>(ahead & (((<u64>1) << distanceBits) - 1));
    ahead >>= distanceBits;
    valid -= <u32>distanceBits;
    if (distance > to - from) unreachable();
    const isFull = length > last - to;
    if (isFull) length = last - to;
    copy(to, distance, length);
    to += length;
    if (isFull) break;
  }
  out = to;
  return false;
}

/** Repeats what stands so far back. Up to eight bytes behind may be written. */
function copy(to: usize, distance: usize, length: usize): void {
  if (distance >= 8) for (let at: usize = 0; at < length; at += 8) store<u64>(to + at, load<u64>(to + at - distance));
  else for (let at: usize = 0; at < length; at++) store<u8>(to + at, load<u8>(to + at - distance));
}
