// What makes one object of another (gitformat-pack, "Deltified representation").

let next: usize = 0;

/** How much a delta makes, whatever its base. */
export function sizeMadeBy(delta: usize, end: usize): usize {
  next = delta;
  readSize(end);
  return readSize(end);
}

function readSize(end: usize): usize {
  let size: u64 = 0;
  for (let shift: u64 = 0; shift < 42; shift += 7) {
    if (next >= end) unreachable();
    const byte = <u64>load<u8>(next++);
    size |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (size > 0x7fffffff) unreachable();
      return <usize>size;
    }
  }
  unreachable();
  return 0;
}

/** Copies pieces of the base and of the delta itself to a place with room for `sizeMadeBy`, and says how much came together. */
export function applyDelta(base: usize, baseSize: usize, delta: usize, deltaSize: usize, to: usize): usize {
  const end = delta + deltaSize;
  next = delta;
  if (readSize(end) !== baseSize) unreachable();
  const size = readSize(end);
  const last = to + size;
  let out = to;
  while (next < end) {
    const code = <usize>load<u8>(next++);
    const isCopy = (code & 0x80) !== 0;
    if (isCopy) readCopy(code, base, baseSize);
    else {
      source = next;
      piece = code;
      next += code;
    }
    if (next > end || piece === 0 || piece > last - out) unreachable();
    memory.copy(out, source, piece);
    out += piece;
  }
  if (out !== last) unreachable();
  return size;
}

// What is copied next.
let source: usize = 0;
let piece: usize = 0;

/** The bits of the code say which bytes of the place and the size are there. */
function readCopy(code: usize, base: usize, baseSize: usize): void {
  let place: usize = 0;
  let size: usize = 0;
  for (let bit: usize = 0; bit < 4; bit++) if ((code >> bit) & 1) place |= (<usize>load<u8>(next++)) << (8 * bit);
  for (let bit: usize = 0; bit < 3; bit++) if ((code >> (4 + bit)) & 1) size |= (<usize>load<u8>(next++)) << (8 * bit);
  piece = size === 0 ? 0x10000 : size;
  if (place > baseSize || piece > baseSize - place) unreachable();
  source = base + place;
}
