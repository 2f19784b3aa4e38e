import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isPlainObject } from '@tributary/model/plain-object';

/** The size and checksum of a file when it was written. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

export function isFileSum(value: unknown): value is FileSum {
  return isPlainObject(value) && Number.isInteger(value['bytes']) && typeof value['sha256'] === 'string';
}

const CHUNK = 1 << 20;

/** Returns the sum of a file, reading all of it. Throws the errors of `openSync`. */
export function sumOf(file: string): FileSum {
  const hash = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(Math.max(1, Math.min(CHUNK, fstatSync(handle).size)));
    let bytes = 0;
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(handle);
  }
}

/** Tells whether a file is unchanged; without a sum it is accepted. `size` compares only the length. Throws the errors of `openSync`. */
export function isAsWritten(file: string, sum: FileSum | undefined, look: 'size' | 'content'): boolean {
  if (sum === undefined) return true;
  if (statSync(file).size !== sum.bytes) return false;
  return look === 'size' || sumOf(file).sha256 === sum.sha256;
}
