import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { orUnusable } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';
import { replaceFile } from './durable.js';
import { type FileSum, isFileSum } from './file-sum.js';

/** The content of a record except its journal. It is replaced atomically, so that a compaction counts entirely or not at all. */
export interface RecordManifest {
  readonly schemaVersion: 1;
  /** The number of compactions so far. */
  readonly generation: number;
  /** Parquet files, relative to the record, sorted. An event is in at most one of them. */
  readonly files: readonly string[];
  /** Segments that are in these files, but may not be removed yet. */
  readonly compacted: readonly string[];
  /** Lets readers skip files; missing if an older program compacted last, so readers open all files. */
  readonly index?: WeekIndex;
  /** The sums of the Parquet files, including that of the index; missing if an older program compacted last. */
  readonly sums?: Readonly<Record<string, FileSum>>;
}

/** An index of the weekly files. */
export interface WeekIndex {
  /** Week -> the last week with an event of any change that has an event in the former. A value that is too late only costs time. */
  readonly reach: Readonly<Record<string, string>>;
  /** A Parquet file with the packages that each week published and their channels, relative to the record. */
  readonly publications: string;
}

/** Returns the Monday of the week of a Parquet file. */
export function weekOfFile(file: string): string {
  return /week=([\d-]+)/.exec(file)?.[1] ?? '';
}

const EMPTY: RecordManifest = { schemaVersion: 1, generation: 0, files: [], compacted: [] };

/** Returns the manifest; empty if the record was never compacted, or does not exist. Throws `RECORD_INVALID`, `FILE_UNUSABLE`. */
export function readManifest(record: AbsolutePath): RecordManifest {
  const file = manifestOf(record);
  // Checked first, because another process may run the first compaction: `beginManifest` precedes the first Parquet file.
  const hasParquet = existsSync(join(record, 'events'));
  if (!existsSync(file)) {
    if (hasParquet) throw missing(file);
    return EMPTY;
  }
  const value = parseJson(orUnusable(file, 'read', () => readFileSync(file, 'utf8')));
  if (!isManifest(value)) throw invalid(file, value);
  return value;
}

/**
 * Creates an empty manifest before the first Parquet files. If it is lost later, these files are not mistaken for leftovers of a killed
 * compaction. Throws `DISK_FULL`, `FILE_UNUSABLE`.
 */
export function beginManifest(record: AbsolutePath): void {
  if (!existsSync(manifestOf(record))) writeManifest(record, EMPTY);
}

/** Replaces the manifest, which counts once this returns. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeManifest(record: AbsolutePath, manifest: RecordManifest): void {
  replaceFile(manifestOf(record), `${JSON.stringify(manifest, undefined, 1)}\n`);
}

function manifestOf(record: AbsolutePath): string {
  return join(record, 'record.json');
}

function isManifest(value: unknown): value is RecordManifest {
  return (
    isPlainObject(value) &&
    value['schemaVersion'] === 1 &&
    Number.isInteger(value['generation']) &&
    (value['index'] === undefined || isIndex(value['index'])) &&
    (value['sums'] === undefined || (isPlainObject(value['sums']) && Object.values(value['sums']).every(isFileSum))) &&
    [value['files'], value['compacted']].every((list) => Array.isArray(list) && list.every((entry) => typeof entry === 'string'))
  );
}

function isIndex(value: unknown): boolean {
  if (!isPlainObject(value) || !isPlainObject(value['reach'])) return false;
  return typeof value['publications'] === 'string' && Object.values(value['reach']).every((week) => typeof week === 'string');
}

const BACKUP = 'Restore it from a backup. Without it, the Parquet files beside it are not read.';

function invalid(file: string, value: unknown): ToolError {
  const isNewer = isPlainObject(value) && typeof value['schemaVersion'] === 'number' && value['schemaVersion'] > 1;
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
