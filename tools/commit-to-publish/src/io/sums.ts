import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
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

/** Throws `RECORD_INVALID` for a file that is missing, or has another sum than these. Without sums, any file passes. */
export function checkFile(file: string, sums: readonly FileSum[]): void {
  if (!existsSync(file)) throw isInvalid(file, 'is missing');
  if (!statSync(file).isFile()) throw isInvalid(file, 'is not a file');
  if (sums.length === 0) return;
  const { bytes, sha256 } = sumOf(file);
  if (!sums.some((sum) => sum.bytes === bytes && sum.sha256 === sha256)) throw isInvalid(file, 'is damaged');
}

/** `why`: a predicate of the file. */
export function isInvalid(file: string, why: string): ToolError {
  const hint = 'Restore it from a backup. Without it, no figure is computed, because its events would be missing.';
  return new ToolError({ code: 'RECORD_INVALID', message: `${file} ${why}.`, hint, data: { file } });
}

/** For content of a newer program version. */
export function isNewer(file: string): ToolError {
  const message = `${file} was written by a newer commit-to-publish.`;
  return new ToolError({ code: 'RECORD_INVALID', message, hint: 'Use that version.', data: { file } });
}
