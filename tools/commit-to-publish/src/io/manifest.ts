import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { orUnusable } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';
import { replaceFile } from './durable.js';
import { type FileSum, isFileSum } from './file-sum.js';

/** What a record holds beside its journal: replaced as a whole, so that a compaction counts entirely or not at all. */
export interface RecordManifest {
  readonly schemaVersion: 1;
  /** How often the record was compacted. */
  readonly generation: number;
  /** Files of Parquet, from the folder of the record, sorted. An event is in one of them at most. */
  readonly files: readonly string[];
  /** Segments that are in these files and may not have been removed yet. */
  readonly compacted: readonly string[];
  /** What readers know of files that they do not open; missing: an older program has compacted last, and all are opened. */
  readonly index?: WeekIndex;
  /** What the files of Parquet, the one of the index included, hold; missing: an older program has compacted last. */
  readonly sums?: Readonly<Record<string, FileSum>>;
}

/** What `compact` says of the files of weeks. */
export interface WeekIndex {
  /** Week -> the last week in which a change with an event in it has one; later than the truth it only costs time. */
  readonly reach: Readonly<Record<string, string>>;
  /** A file of Parquet: which packages each week published where, from the folder of the record. */
  readonly publications: string;
}

/** The Monday of the week whose events a file of Parquet has. */
export function weekOfFile(file: string): string {
  return /week=([\d-]+)/.exec(file)?.[1] ?? '';
}

const EMPTY: RecordManifest = { schemaVersion: 1, generation: 0, files: [], compacted: [] };

/** Of a record that was never compacted, or is not there, it is empty. Throws `RECORD_INVALID`, `FILE_UNUSABLE`. */
export function readManifest(record: AbsolutePath): RecordManifest {
  const file = manifestOf(record);
  // Looked for first, since somebody may be compacting for the first time: `beginManifest` is called before there are any.
  const hasParquet = existsSync(join(record, 'events'));
  if (!existsSync(file)) {
    if (hasParquet) throw missing(file);
    return EMPTY;
  }
  const value = parseJson(orUnusable(file, 'read', () => readFileSync(file, 'utf8')));
  if (!isManifest(value)) throw invalid(file, value);
  return value;
}

/** Before the first files of Parquet: should the manifest be lost later, they are not taken for what a killed compaction has left. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function beginManifest(record: AbsolutePath): void {
  if (!existsSync(manifestOf(record))) writeManifest(record, EMPTY);
}

/** It counts when this returns. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
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
