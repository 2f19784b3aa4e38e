import { openSync, readSync } from 'node:fs';
import { constants, inflateSync } from 'node:zlib';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import type { ObjectType } from '../object-id.js';
import { NotPlain } from './not-plain.js';

/** An object without its id. */
export interface Stored {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** What an entry of a pack holds: an object, or how one is made of another. */
type Entry = Stored | { readonly type: 'delta'; readonly base: number | ObjectId; readonly content: Buffer };

const HEAD = 8;
const FANOUT = HEAD + 256 * 4;
const ID = 20;
/** Most entries are no longer than this. */
const ENTRY_HEAD = 4096;
/** Git makes chains of fifty at most, unless told otherwise. */
const LONGEST_CHAIN = 4096;
const LARGEST = 64 * 1024 * 1024;

/** One pack with its index (gitformat-pack, version 2, SHA-1). Throws `NotPlain`, or whatever a file that is not as expected leads to. */
export class PackFile {
  private readonly index: number;
  private readonly fanout: Buffer;
  private readonly path: string;
  private readonly buffer = Buffer.allocUnsafe(ENTRY_HEAD);
  private pack: number | undefined;

  /** `path` without `.idx`. */
  constructor(path: string) {
    this.path = path;
    this.index = openSync(`${path}.idx`, 'r');
    this.fanout = Buffer.from(this.readAt(this.index, 0, FANOUT));
    if (this.fanout.readUInt32BE(0) !== 0xff744f63 || this.fanout.readUInt32BE(4) !== 2) throw new NotPlain('an index of another version');
  }

  /** Where an object begins; `undefined` if it is not in this pack. */
  find(id: ObjectId): number | undefined {
    const wanted = Buffer.from(id, 'hex');
    const from = wanted[0] === 0 ? 0 : this.count((wanted[0] ?? 0) - 1);
    const ids = this.readAt(this.index, FANOUT + from * ID, (this.count(wanted[0] ?? 0) - from) * ID);
    for (let low = 0, high = ids.length / ID; low < high; ) {
      const middle = (low + high) >> 1;
      const order = wanted.compare(ids, middle * ID, middle * ID + ID);
      if (order === 0) return this.offset(from + middle);
      if (order > 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** The object at a place; `readOther` gives one that a delta is made from and that lies elsewhere. */
  read(offset: number, readOther: (id: ObjectId) => Stored): Stored {
    const deltas: Buffer[] = [];
    let at = offset;
    for (let step = 0; step < LONGEST_CHAIN; step++) {
      const entry = this.readEntry(at);
      if (entry.type !== 'delta') return undelta(entry, deltas);
      deltas.push(entry.content);
      if (typeof entry.base !== 'number') return undelta(readOther(entry.base), deltas);
      at = entry.base;
    }
    throw new NotPlain('a chain of deltas without an end');
  }

  private count(firstByte: number): number {
    return this.fanout.readUInt32BE(HEAD + firstByte * 4);
  }

  private offset(place: number): number {
    const count = this.count(255);
    const offsets = FANOUT + count * (ID + 4);
    const offset = this.readAt(this.index, offsets + place * 4, 4).readUInt32BE(0);
    if (offset < 0x80000000) return offset;
    // Of packs above two gigabytes.
    return Number(this.readAt(this.index, offsets + count * 4 + (offset - 0x80000000) * 8, 8).readBigUInt64BE(0));
  }

  private readEntry(offset: number): Entry {
    this.pack ??= openSync(`${this.path}.pack`, 'r');
    const head = this.readUpTo(this.pack, offset, ENTRY_HEAD);
    const { type, size, at } = readTypeAndSize(head);
    if (size > LARGEST) throw new NotPlain('a very large object');
    if (type === OFFSET_DELTA) {
      const { distance, next } = readDistance(head, at);
      return { type: 'delta', base: offset - distance, content: this.inflate(head, { offset, at: next, size }) };
    }
    if (type === ID_DELTA) {
      const base = parseObjectId(head.toString('hex', at, at + ID));
      return { type: 'delta', base, content: this.inflate(head, { offset, at: at + ID, size }) };
    }
    const name = TYPES[type];
    if (name === undefined) throw new NotPlain(`an object of type ${type}`);
    return { type: name, content: this.inflate(head, { offset, at, size }) };
  }

  private inflate(head: Buffer, { offset, at, size }: { readonly offset: number; readonly at: number; readonly size: number }): Buffer {
    // What deflating may add to a text that it cannot make smaller.
    const most = size + Math.ceil(size / 1024) + 64;
    const from = at + most <= head.length ? head.subarray(at) : this.readUpTo(this.pack ?? -1, offset + at, most);
    return inflateTo(from, size);
  }

  private readAt(file: number, at: number, length: number): Buffer {
    const bytes = this.readUpTo(file, at, length);
    if (bytes.length !== length) throw new NotPlain('a file that ends early');
    return bytes;
  }

  /** The result is good until the next call: a buffer for each of them would keep the garbage collector busy. */
  private readUpTo(file: number, at: number, length: number): Buffer {
    const buffer = length <= this.buffer.length ? this.buffer : Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, at));
  }
}

const TYPES: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const OFFSET_DELTA = 6;
const ID_DELTA = 7;

/** Inflates what is known to be of this size. */
export function inflateTo(from: Buffer, size: number): Buffer {
  const most = Math.max(size, 64);
  const content = inflateSync(from, { chunkSize: most, maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  if (content.length !== size) throw new NotPlain('an object of another size than it says');
  return content;
}

function readTypeAndSize(head: Buffer): { readonly type: number; readonly size: number; readonly at: number } {
  let at = 0;
  let byte = head[at++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let unit = 16; byte & 0x80; unit *= 128) {
    byte = head[at++] ?? 0;
    size += (byte & 0x7f) * unit;
  }
  return { type, size, at };
}

/** How far before the delta its base begins. */
function readDistance(head: Buffer, from: number): { readonly distance: number; readonly next: number } {
  let at = from;
  let byte = head[at++] ?? 0;
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = head[at++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { distance, next: at };
}

/** The deltas from the last to the first, each made for the result of the one behind it. */
function undelta({ type, content }: Stored, deltas: readonly Buffer[]): Stored {
  return { type, content: deltas.reduceRight(applyDelta, content) };
}

/** Copies pieces of the base and of the delta itself, as the delta says. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = readSize(delta, 0);
  const to = readSize(delta, from.next);
  if (from.size !== base.length || to.size > LARGEST) throw new NotPlain('a delta for another object');
  const result = Buffer.allocUnsafe(to.size);
  let filled = 0;
  for (let at = to.next; at < delta.length; ) {
    const code = delta[at++] ?? 0;
    if (code & 0x80) {
      const copy = readCopy(delta, at, code);
      filled += base.copy(result, filled, copy.offset, copy.offset + copy.size);
      at = copy.next;
    } else {
      filled += delta.copy(result, filled, at, at + code);
      at += code;
    }
  }
  if (filled !== to.size) throw new NotPlain('a delta that ends early');
  return result;
}

function readSize(delta: Buffer, from: number): { readonly size: number; readonly next: number } {
  let at = from;
  let size = 0;
  for (let unit = 1, byte = 0x80; byte & 0x80; unit *= 128) {
    byte = delta[at++] ?? 0;
    size += (byte & 0x7f) * unit;
  }
  return { size, next: at };
}

/** The bits of the code say which bytes of the offset and the size are there. */
function readCopy(delta: Buffer, from: number, code: number): { readonly offset: number; readonly size: number; readonly next: number } {
  let at = from;
  let offset = 0;
  let size = 0;
  for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) offset += (delta[at++] ?? 0) * 256 ** bit;
  for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) size += (delta[at++] ?? 0) * 256 ** bit;
  return { offset, size: size === 0 ? 0x10000 : size, next: at };
}
