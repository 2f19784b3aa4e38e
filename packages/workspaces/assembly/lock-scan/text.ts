// The bytes of a yarn.lock, and what lines are looked at with. A place is an address in memory.

export const LINE_END: i32 = 0x0a;
export const RETURN: i32 = 0x0d;
export const SPACE: i32 = 0x20;
export const QUOTE: i32 = 0x22;
export const HASH: i32 = 0x23;
export const COMMA: i32 = 0x2c;
export const DOT: i32 = 0x2e;
export const SLASH: i32 = 0x2f;
export const COLON: i32 = 0x3a;
export const LESS: i32 = 0x3c;
export const GREATER: i32 = 0x3e;
export const QUESTION: i32 = 0x3f;
export const AT: i32 = 0x40;
export const BACKSLASH: i32 = 0x5c;

/**
 * Sixteen bytes are looked at in one step, here and below: the engine compiles this quickly and not well, and what takes many steps it
 * compiles once more while it runs, which takes longer than all of this. Thirty-two bytes behind the text can be read.
 */
function isOneOf(at: usize, one: i32, other: i32): i32 {
  const bytes = v128.load(at);
  return i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(<i8>one)), i8x16.eq(bytes, i8x16.splat(<i8>other))));
}

/** The first place where one of two bytes stands; there has to be one. */
export function find(from: usize, one: i32, other: i32): usize {
  let at = from;
  let found = isOneOf(at, one, other);
  while (found === 0) {
    at += 16;
    found = isOneOf(at, one, other);
  }
  return at + <usize>ctz(found);
}

/** Whether one of two bytes stands in a part of the text. */
export function holds(from: usize, end: usize, one: i32, other: i32): boolean {
  for (let at = from; at < end; at += 16) {
    const found = isOneOf(at, one, other);
    if (found !== 0) return at + <usize>ctz(found) < end;
  }
  return false;
}

/** Where the line ends that a place is in. */
export function lineEnd(from: usize): usize {
  const ends = i8x16.splat(<i8>LINE_END);
  let at = from;
  let found = i8x16.bitmask(i8x16.eq(v128.load(at), ends));
  while (found === 0) {
    at += 16;
    found = i8x16.bitmask(i8x16.eq(v128.load(at), ends));
  }
  return at + <usize>ctz(found);
}

/** Where `@workspace:` begins in a line, from a place on, or where the line ends. */
export function markOrEnd(from: usize): usize {
  let at = nextMark(from);
  while (byteAt(at) === AT && !isText(at, '@workspace:')) at = nextMark(at + 1);
  return at;
}

function nextMark(from: usize): usize {
  let at = from;
  let found = beginsMark(at);
  while (found === 0) {
    at += 16;
    found = beginsMark(at);
  }
  return at + <usize>ctz(found);
}

/** Where `@w` stands, or a line ends: most lines have an `@`. */
function beginsMark(at: usize): i32 {
  const bytes = v128.load(at);
  const marks = v128.and(i8x16.eq(bytes, i8x16.splat(<i8>AT)), i8x16.eq(v128.load(at + 1), i8x16.splat(0x77)));
  return i8x16.bitmask(v128.or(marks, i8x16.eq(bytes, i8x16.splat(<i8>LINE_END))));
}

/** The first place where a byte stands that no name has behind its first one, or the line ends. */
export function findNameEnd(from: usize): usize {
  let at = from;
  let found = nameEnds(at);
  while (found === 0) {
    at += 16;
    found = nameEnds(at);
  }
  return at + <usize>ctz(found);
}

function nameEnds(at: usize): i32 {
  const bytes = v128.load(at);
  const close = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>COLON)));
  const other = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>AT)), i8x16.eq(bytes, i8x16.splat(<i8>LINE_END)));
  return i8x16.bitmask(v128.or(close, other));
}

/** The first end of a line behind which another one stands, or a field of an entry that begins with a d. */
export function gapOrField(from: usize): usize {
  let at = from;
  let found = beginsGapOrField(at);
  while (found === 0) {
    at += 16;
    found = beginsGapOrField(at);
  }
  return at + <usize>ctz(found);
}

function beginsGapOrField(at: usize): i32 {
  const ends = i8x16.splat(<i8>LINE_END);
  const gaps = i8x16.eq(v128.load(at + 1), ends);
  const fields = i8x16.eq(v128.load(at + 3), i8x16.splat(0x64));
  return i8x16.bitmask(v128.and(i8x16.eq(v128.load(at), ends), v128.or(gaps, fields)));
}

/** Whether a text needs no quotes: YAML sees nothing in it but a text. */
export function isPlainText(from: usize, end: usize): boolean {
  if (from === end || !isLetter(byteAt(from)) || byteAt(end - 1) === SPACE) return false;
  for (let at = from; at < end; at++) {
    const byte = byteAt(at);
    if (byte === SPACE ? byteAt(at + 1) === SPACE : !isLetter(byte) && !isSign(byte)) return false;
  }
  return true;
}

/** One of letters, digits and `./<=^_~`, with which a text without quotes may begin. */
function isLetter(byte: i32): boolean {
  const letter = byte | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || (byte >= DOT && byte <= 0x39)) return true;
  return byte === LESS || byte === 0x3d || byte === 0x5e || byte === 0x5f || byte === 0x7e;
}

/** One of `*+->|`. */
function isSign(byte: i32): boolean {
  return byte === 0x2a || byte === 0x2b || byte === 0x2d || byte === GREATER || byte === 0x7c;
}

/** Whether all bytes are of ASCII and none but the ends of lines is a control character. Behind the end there must be line ends. */
export function isPrintable(from: usize, end: usize): boolean {
  const ends = i8x16.splat(<i8>LINE_END);
  const first = i8x16.splat(<i8>SPACE);
  let others = i8x16.splat(0);
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at);
    // Signed, so that what is not of ASCII is below as well.
    others = v128.or(others, v128.andnot(i8x16.lt_s(bytes, first), i8x16.eq(bytes, ends)));
  }
  return !v128.any_true(others);
}

export function byteAt(at: usize): i32 {
  return <i32>load<u8>(at);
}

export function isSame(one: usize, other: usize, size: usize): boolean {
  let at: usize = 0;
  for (; at + 8 <= size; at += 8) if (load<u64>(one + at) !== load<u64>(other + at)) return false;
  return ((load<u64>(one + at) ^ load<u64>(other + at)) & firstBytes(size - at)) === 0;
}

/** Of eight bytes, the first few. */
function firstBytes(count: usize): u64 {
  return ((<u64>1) << (<u64>count * 8)) - 1;
}

/** Whether these characters, all of them ASCII, stand at a place. */
export function isText(at: usize, text: string): boolean {
  const size = <usize>text.length;
  const words = changetype<usize>(text);
  for (let done: usize = 0; done < size; done += 8) {
    const differing = i16x8.bitmask(i16x8.ne(v128.load8x8_u(at + done), v128.load(words + 2 * done)));
    if (differing !== 0) return done + <usize>ctz(differing) >= size;
  }
  return true;
}

/** For tables of names. */
export function hashOf(from: usize, end: usize): u32 {
  let hash: u64 = 0;
  let at = from;
  for (; at + 8 <= end; at += 8) hash = mixed(hash ^ load<u64>(at));
  hash = mixed(hash ^ (load<u64>(at) & firstBytes(end - at)));
  // The last bytes of a name change the uppermost bits alone, and the lowest ones choose the slot.
  return <u32>((hash >> 32) ^ (hash >> 47));
}

function mixed(hash: u64): u64 {
  const product = hash * 0x1000193cc9e2d;
  return product ^ (product >> 29);
}
