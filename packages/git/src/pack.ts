import * as crypto from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { GitObject, ObjectFormat, ObjectType } from './object-id.js';

const TYPE_BITS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const LARGEST_STORED_BLOCK = 0xffff;

/**
 * Returns a pack file (gitformat-pack, version 2) with these objects, without deltas. Small objects are stored uncompressed: in Node,
 * deflating them costs ten times as much as hashing. git compresses them at the next repack (decision 0009 has the measurement).
 */
export function formatPack(format: ObjectFormat, objects: readonly GitObject[]): Buffer[] {
  const header = Buffer.alloc(12);
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const pieces: Buffer[] = [header];
  for (const object of objects) pieces.push(entryHeader(object), compressed(object.content));
  const hash = crypto.createHash(format);
  for (const piece of pieces) hash.update(piece);
  return [...pieces, hash.digest()];
}

/** Returns type and size, with seven bits of the size in each byte but four in the first. */
function entryHeader(object: GitObject): Buffer {
  const bytes: number[] = [];
  let size = object.content.length;
  let byte = (TYPE_BITS[object.type] << 4) | (size & 0x0f);
  size = Math.floor(size / 16);
  while (size > 0) {
    bytes.push(byte | 0x80);
    byte = size & 0x7f;
    size = Math.floor(size / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

function compressed(content: Buffer): Buffer {
  return content.length > LARGEST_STORED_BLOCK ? deflateSync(content) : storedZlib(content);
}

/** Returns a zlib stream (RFC 1950) of one stored block (RFC 1951 §3.2.4). */
function storedZlib(content: Buffer): Buffer {
  const length = content.length;
  const out = Buffer.allocUnsafe(length + 11);
  out.writeUInt16BE(0x7801, 0);
  out[2] = 1;
  out.writeUInt16LE(length, 3);
  out.writeUInt16LE(length ^ 0xffff, 5);
  content.copy(out, 7);
  out.writeUInt32BE(adler32(content), length + 7);
  return out;
}

/**
 * Returns the checksum of RFC 1950 §8.2. Over 3,800 bytes the sums stay below 2^31, so the costly remainder is needed only once for each
 * such run.
 */
function adler32(content: Buffer): number {
  let low = 1;
  let high = 0;
  for (let from = 0; from < content.length; from += 3800) {
    const end = Math.min(from + 3800, content.length);
    for (let at = from; at < end; at++) {
      low += content[at] ?? 0;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return high * 65536 + low;
}
