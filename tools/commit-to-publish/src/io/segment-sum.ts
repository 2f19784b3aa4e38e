import { existsSync, readFileSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import { parseJson } from '../model/parse-json.js';
import { type FileSum, isFileSum, sumOf } from './file-sum.js';

/** The size and checksum of a segment when it was written. */
export interface SegmentSum extends FileSum {
  readonly lines: number;
}

/** Returns the path of the sum of a closed segment. */
export function sumFileOf(segmentFile: string): string {
  return segmentFile.replace(/\.ndjson$/, '.sum');
}

export const SUM_NAME = /^(\d+-[0-9a-f]{8})\.sum(?:\.draft)?$/;

/** Throws `RECORD_INVALID` if a closed segment has changed. One without a sum, from a killed writer or an older program, is accepted. */
export function checkSum(file: string): void {
  const sumFile = sumFileOf(file);
  if (sumFile === file || !existsSync(sumFile)) return;
  const value = parseJson(readFileSync(sumFile, 'utf8'));
  if (!isSum(value)) throw notAsWritten(sumFile, 'it is no checksum');
  const found = sumOf(file);
  if (found.bytes !== value.bytes) throw notAsWritten(file, `it has ${found.bytes} bytes, and had ${value.bytes} (${value.lines} events)`);
  if (found.sha256 !== value.sha256) throw notAsWritten(file, 'its content has changed');
}

function isSum(value: unknown): value is SegmentSum {
  return isFileSum(value) && 'lines' in value && Number.isInteger(value.lines);
}

/** For a segment that is missing although it was not compacted. */
export function isMissing(file: string): ToolError {
  return notAsWritten(file, 'it is missing');
}

function notAsWritten(file: string, why: string): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} was changed after it was written: ${why}.`,
    hint: `Restore it from a backup. To continue without its events, remove it and ${sumFileOf(file)}.`,
    data: { file },
  });
}
