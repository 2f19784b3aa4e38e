/** Numbers in git's files have their highest byte first. */
export function word(at: usize): u32 {
  return bswap(load<u32>(at));
}

/** Below, at or above zero, as one id comes before, is, or comes behind the other. */
export function compareIds(one: usize, other: usize): i32 {
  const a = bswap(load<u64>(one));
  const b = bswap(load<u64>(other));
  if (a !== b) return a < b ? -1 : 1;
  const c = bswap(load<u64>(one + 8));
  const d = bswap(load<u64>(other + 8));
  if (c !== d) return c < d ? -1 : 1;
  const e = word(one + 16);
  const f = word(other + 16);
  return e === f ? 0 : e < f ? -1 : 1;
}

export function copyId(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to + 8, load<u64>(from + 8));
  store<u32>(to + 16, load<u32>(from + 16));
}

/** Sixteen bytes in one step; as many behind the end may be read. */
export function isSame(one: usize, other: usize, size: usize): boolean {
  for (let at: usize = 0; at < size; at += 16) {
    const differing = i8x16.bitmask(i8x16.ne(v128.load(one + at), v128.load(other + at)));
    if (differing !== 0) return at + <usize>ctz(differing) >= size;
  }
  return true;
}

/** The first zero of a part of memory, or its end. */
export function findZero(from: usize, end: usize): usize {
  for (let at = from; at < end; at += 16) {
    const zeros = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0)));
    if (zeros !== 0) return min(at + <usize>ctz(zeros), end);
  }
  return end;
}
