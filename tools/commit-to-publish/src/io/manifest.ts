import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { orUnusable } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';
import { replaceFile } from './durable.js';
import { type FileSum, isFileSum } from './sums.js';

/** The content of `record.json`: what the Parquet file must be. */
export interface RecordManifest {
  readonly schemaVersion: 2;
  /** The possible sums of the file, several only while `compact` replaces it. `null`: there may be none. */
  readonly parquet: readonly (FileSum | null)[];
}

/** The `record.json` of older programs, which wrote a Parquet file for each week. */
interface WeeklyManifest {
  readonly schemaVersion: 1;
  /** Relative to the record. An event is in at most one of them. */
  readonly files: readonly string[];
  /** Names of segments that are in these files, but may not be removed yet. */
  readonly compacted: readonly string[];
  readonly sums?: Readonly<Record<string, FileSum>>;
}

/** Returns the path of the file with all events that are compacted. */
export function parquetOf(record: string): string {
  return join(record, 'events.parquet');
}

/** Returns the content of `record.json`; if it was never compacted, or does not exist, that there is no file. Throws `RECORD_INVALID`, `FILE_UNUSABLE`. */
export function readManifest(record: AbsolutePath): RecordManifest | WeeklyManifest {
  const file = manifestOf(record);
  // Checked first, because another process may run the first compaction, which writes `record.json` before the Parquet file.
  const hasParquet = existsSync(parquetOf(record)) || existsSync(join(record, 'events'));
  if (!existsSync(file)) {
    if (hasParquet) throw missing(file);
    return { schemaVersion: 2, parquet: [null] };
  }
  const value = parseJson(orUnusable(file, 'read', () => readFileSync(file, 'utf8')));
  if (!isManifest(value) && !isWeekly(value)) throw invalid(file, value);
  return value;
}

/** Replaces `record.json` atomically. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeManifest(record: AbsolutePath, manifest: RecordManifest): void {
  replaceFile(manifestOf(record), `${JSON.stringify(manifest, undefined, 1)}\n`);
}

export function manifestOf(record: AbsolutePath): string {
  return join(record, 'record.json');
}

function isManifest(value: unknown): value is RecordManifest {
  if (!isPlainObject(value) || value['schemaVersion'] !== 2 || !Array.isArray(value['parquet'])) return false;
  return value['parquet'].length > 0 && value['parquet'].every((sum) => sum === null || isFileSum(sum));
}

function isWeekly(value: unknown): value is WeeklyManifest {
  return (
    isPlainObject(value) &&
    value['schemaVersion'] === 1 &&
    (value['sums'] === undefined || (isPlainObject(value['sums']) && Object.values(value['sums']).every(isFileSum))) &&
    [value['files'], value['compacted']].every((list) => Array.isArray(list) && list.every((entry) => typeof entry === 'string'))
  );
}

const BACKUP = 'Restore it from a backup. Without it, the Parquet file beside it is not read.';

function invalid(file: string, value: unknown): ToolError {
  const isNewer = isPlainObject(value) && typeof value['schemaVersion'] === 'number' && value['schemaVersion'] > 2;
  return new ToolError({
    code: 'RECORD_INVALID',
    message: isNewer ? `${file} was written by a newer commit-to-publish.` : `${file} is damaged.`,
    hint: isNewer ? 'Use that version.' : BACKUP,
    data: { file },
  });
}

function missing(file: string): ToolError {
  return new ToolError({ code: 'RECORD_INVALID', message: `${file} is missing.`, hint: BACKUP, data: { file } });
}
