import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseJson } from '../model/parse-json.js';

/** The size and checksum of a file when it was written. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

export function isFileSum(value: unknown): value is FileSum {
  return isPlainObject(value) && Number.isInteger(value['bytes']) && typeof value['sha256'] === 'string';
}

export function isSameSum(a: FileSum, b: FileSum): boolean {
  return a.bytes === b.bytes && a.sha256 === b.sha256;
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

/** Returns the path of the file with the sum of a segment. */
export function sumFileOf(segment: string): string {
  return segment.replace(/\.ndjson$/, '.sum');
}

/** Throws `RECORD_INVALID` if a segment has changed. One without a sum, from a killed writer or an older program, is accepted. */
export function checkSegment(segment: string): void {
  const sumFile = sumFileOf(segment);
  if (sumFile === segment || !existsSync(sumFile)) return;
  const value = parseJson(readFileSync(sumFile, 'utf8'));
  if (!isFileSum(value)) throw notAsWritten(sumFile, 'it is no checksum');
  const found = sumOf(segment);
  if (found.bytes !== value.bytes) throw notAsWritten(segment, `it has ${found.bytes} bytes, and had ${value.bytes}`);
  if (!isSameSum(found, value)) throw notAsWritten(segment, 'its content has changed');
}

/** For a segment that is missing although it was not compacted. */
export function isMissing(segment: string): ToolError {
  return notAsWritten(segment, 'it is missing');
}

function notAsWritten(file: string, why: string): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} was changed after it was written: ${why}.`,
    hint: `Restore it from a backup. To continue without its events, remove it and ${sumFileOf(file)}.`,
    data: { file },
  });
}
