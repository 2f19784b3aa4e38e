import { HASH, WORDS } from './room';

// SHA-1 (RFC 3174) of the few kilobytes that a commit, a tree or a manifest has; what is larger is left to the caller.

let h0: u32 = 0;
let h1: u32 = 0;
let h2: u32 = 0;
let h3: u32 = 0;
let h4: u32 = 0;

/** Writes the hash of so many bytes to `HASH`. The 128 bytes behind them are written to. */
export function hash(from: usize, size: usize): void {
  h0 = 0x67452301;
  h1 = 0xefcdab89;
  h2 = 0x98badcfe;
  h3 = 0x10325476;
  h4 = 0xc3d2e1f0;
  const end = from + size;
  memory.fill(end, 0, 128);
  store<u8>(end, 0x80);
  const last = from + ((size + 8) & ~(<usize>63));
  store<u64>(last + 56, bswap(<u64>size * 8));
  for (let at = from; at <= last; at += 64) {
    spread(at);
    mix();
  }
  store<u32>(HASH, bswap(h0));
  store<u32>(HASH + 4, bswap(h1));
  store<u32>(HASH + 8, bswap(h2));
  store<u32>(HASH + 12, bswap(h3));
  store<u32>(HASH + 16, bswap(h4));
}

function turned(words: v128, by: i32): v128 {
  return v128.or(i32x4.shl(words, by), i32x4.shr_u(words, 32 - by));
}

/** The eighty words of a block, four at a time. */
function spread(from: usize): void {
  for (let at: usize = 0; at < 64; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(WORDS + at, v128.shuffle<u8>(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  }
  for (let at = WORDS + 64; at < WORDS + 128; at += 16) {
    // The last of the four is made of the first, which is not there yet.
    store<u32>(at, 0);
    const words = turned(v128.xor(v128.xor(v128.load(at - 12), v128.load(at - 32)), v128.xor(v128.load(at - 56), v128.load(at - 64))), 1);
    v128.store(at, words);
    const first = <u32>i32x4.extract_lane(words, 0);
    store<u32>(at + 12, <u32>i32x4.extract_lane(words, 3) ^ ((first << 1) | (first >> 31)));
  }
  // The same rule, applied twice.
  for (let at = WORDS + 128; at < WORDS + 320; at += 16) {
    const words = v128.xor(v128.xor(v128.load(at - 24), v128.load(at - 64)), v128.xor(v128.load(at - 112), v128.load(at - 128)));
    v128.store(at, turned(words, 2));
  }
}

/**
 * Five rounds stand in a row, so that no value has to change its place. Values are turned by two shifts: for `rotl` the engine calls a
 * function.
 */
function mix(): void {
  let a = h0;
  let b = h1;
  let c = h2;
  let d = h3;
  let e = h4;
  let at = WORDS;
  for (; at < WORDS + 80; at += 20) {
    e += ((a << 5) | (a >> 27)) + (d ^ (b & (c ^ d))) + 0x5a827999 + load<u32>(at);
    b = (b << 30) | (b >> 2);
    d += ((e << 5) | (e >> 27)) + (c ^ (a & (b ^ c))) + 0x5a827999 + load<u32>(at, 4);
    a = (a << 30) | (a >> 2);
    c += ((d << 5) | (d >> 27)) + (b ^ (e & (a ^ b))) + 0x5a827999 + load<u32>(at, 8);
    e = (e << 30) | (e >> 2);
    b += ((c << 5) | (c >> 27)) + (a ^ (d & (e ^ a))) + 0x5a827999 + load<u32>(at, 12);
    d = (d << 30) | (d >> 2);
    a += ((b << 5) | (b >> 27)) + (e ^ (c & (d ^ e))) + 0x5a827999 + load<u32>(at, 16);
    c = (c << 30) | (c >> 2);
  }
  for (; at < WORDS + 160; at += 20) {
    e += ((a << 5) | (a >> 27)) + (b ^ c ^ d) + 0x6ed9eba1 + load<u32>(at);
    b = (b << 30) | (b >> 2);
    d += ((e << 5) | (e >> 27)) + (a ^ b ^ c) + 0x6ed9eba1 + load<u32>(at, 4);
    a = (a << 30) | (a >> 2);
    c += ((d << 5) | (d >> 27)) + (e ^ a ^ b) + 0x6ed9eba1 + load<u32>(at, 8);
    e = (e << 30) | (e >> 2);
    b += ((c << 5) | (c >> 27)) + (d ^ e ^ a) + 0x6ed9eba1 + load<u32>(at, 12);
    d = (d << 30) | (d >> 2);
    a += ((b << 5) | (b >> 27)) + (c ^ d ^ e) + 0x6ed9eba1 + load<u32>(at, 16);
    c = (c << 30) | (c >> 2);
  }
  for (; at < WORDS + 240; at += 20) {
    e += ((a << 5) | (a >> 27)) + ((b & c) | (d & (b | c))) + 0x8f1bbcdc + load<u32>(at);
    b = (b << 30) | (b >> 2);
    d += ((e << 5) | (e >> 27)) + ((a & b) | (c & (a | b))) + 0x8f1bbcdc + load<u32>(at, 4);
    a = (a << 30) | (a >> 2);
    c += ((d << 5) | (d >> 27)) + ((e & a) | (b & (e | a))) + 0x8f1bbcdc + load<u32>(at, 8);
    e = (e << 30) | (e >> 2);
    b += ((c << 5) | (c >> 27)) + ((d & e) | (a & (d | e))) + 0x8f1bbcdc + load<u32>(at, 12);
    d = (d << 30) | (d >> 2);
    a += ((b << 5) | (b >> 27)) + ((c & d) | (e & (c | d))) + 0x8f1bbcdc + load<u32>(at, 16);
    c = (c << 30) | (c >> 2);
  }
  for (; at < WORDS + 320; at += 20) {
    e += ((a << 5) | (a >> 27)) + (b ^ c ^ d) + 0xca62c1d6 + load<u32>(at);
    b = (b << 30) | (b >> 2);
    d += ((e << 5) | (e >> 27)) + (a ^ b ^ c) + 0xca62c1d6 + load<u32>(at, 4);
    a = (a << 30) | (a >> 2);
    c += ((d << 5) | (d >> 27)) + (e ^ a ^ b) + 0xca62c1d6 + load<u32>(at, 8);
    e = (e << 30) | (e >> 2);
    b += ((c << 5) | (c >> 27)) + (d ^ e ^ a) + 0xca62c1d6 + load<u32>(at, 12);
    d = (d << 30) | (d >> 2);
    a += ((b << 5) | (b >> 27)) + (c ^ d ^ e) + 0xca62c1d6 + load<u32>(at, 16);
    c = (c << 30) | (c >> 2);
  }
  h0 += a;
  h1 += b;
  h2 += c;
  h3 += d;
  h4 += e;
}
