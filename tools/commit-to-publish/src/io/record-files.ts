import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseJson } from '../model/parse-json.js';
import { listCollected } from './collected.js';
import { replaceFile } from './durable.js';
import { listMissing, listSegments, nameIn } from './journal.js';
import { checkFile, type FileSum, isFileSum, isInvalid, isNewer } from './sums.js';

/** The files of a record to read. */
export interface RecordFiles {
  /** Paths of segments. Their events may be in Parquet too, and count once. */
  readonly segments: readonly string[];
  /** At most one, but for a record of an older program, which has one for each week. */
  readonly parquet: readonly ParquetFile[];
  /** Another value says that the record was compacted meanwhile. */
  readonly stamp: string;
}

interface ParquetFile {
  readonly file: string;
  /** What it may be; empty: not known, because an older program wrote it. */
  readonly sums: readonly FileSum[];
}

/** The content of `record.json`: what the Parquet file must be. */
interface RecordManifest {
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

/**
 * Lists the files of a record, segments first: the events of one that is compacted in between are then in Parquet, or it is missing, which
 * is noticed. Throws `RECORD_MISSING`, `RECORD_INVALID`.
 */
export function listFiles(record: AbsolutePath): RecordFiles {
  const stamp = stampOf(record);
  const [listed, missing] = [listSegments(record), listMissing(record)];
  const manifest = readManifest(record);
  const compacted = manifest.schemaVersion === 1 ? manifest.compacted : [];
  const isFresh = (segment: string): boolean => !compacted.includes(nameIn(segment));
  const lost = missing.find(isFresh);
  if (lost !== undefined) throw isInvalid(lost, 'is missing');
  const segments = listed.filter(isFresh);
  const parquet = manifest.schemaVersion === 1 ? weeklyFiles(record, manifest) : oneFile(record, manifest);
  if (segments.length + parquet.length === 0) throw isNoRecord(record);
  return { segments, parquet, stamp };
}

function weeklyFiles(record: AbsolutePath, { files, sums = {} }: WeeklyManifest): readonly ParquetFile[] {
  return files.map((file) => ({ file: join(record, file), sums: sums[file] === undefined ? [] : [sums[file]] }));
}

function oneFile(record: AbsolutePath, { parquet }: RecordManifest): readonly ParquetFile[] {
  const sums = parquet.filter((sum) => sum !== null);
  const file = parquetOf(record);
  return sums.length === 0 || (parquet.includes(null) && !existsSync(file)) ? [] : [{ file, sums }];
}

/** Throws `RECORD_INVALID` for a Parquet file that is missing or differs from what `compact` wrote; a changed byte may leave it readable. */
export function checkParquet(files: readonly ParquetFile[]): void {
  for (const { file, sums } of files) checkFile(file, sums);
}

/** Returns a text that changes when a compaction begins to replace files, and when it has replaced them. */
export function stampOf(record: AbsolutePath): string {
  const identities = [manifestOf(record), parquetOf(record)].map((file) => {
    const found = existsSync(file) ? statSync(file, { throwIfNoEntry: false, bigint: true }) : undefined;
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  });
  return identities.join(', ');
}

/** Returns the path of the file with all events that are compacted. */
export function parquetOf(record: string): string {
  return join(record, 'events.parquet');
}

export function manifestOf(record: AbsolutePath): string {
  return join(record, 'record.json');
}

/** Returns the content of `record.json`; if it was never compacted, or does not exist, that there is no file. Throws `RECORD_INVALID`, `FILE_UNUSABLE`. */
export function readManifest(record: AbsolutePath): RecordManifest | WeeklyManifest {
  const file = manifestOf(record);
  // Checked first, because another process may run the first compaction, which writes `record.json` before the Parquet file.
  const hasParquet = existsSync(parquetOf(record)) || existsSync(join(record, 'events'));
  if (!existsSync(file)) {
    if (hasParquet) throw isInvalid(file, 'is missing');
    return { schemaVersion: 2, parquet: [null] };
  }
  const value = parseJson(readTextFile(file));
  if (isManifest(value) || isWeekly(value)) return value;
  throw isPlainObject(value) && Number(value['schemaVersion']) > 2 ? isNewer(file) : isInvalid(file, 'is damaged');
}

/** Replaces `record.json` atomically. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function writeManifest(record: AbsolutePath, manifest: RecordManifest): void {
  replaceFile(manifestOf(record), `${JSON.stringify(manifest, undefined, 1)}\n`);
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
    [value['files'], value['compacted']].every((list) => Array.isArray(list) && list.every(isInside))
  );
}

/** Whether it is a path in the record. */
function isInside(path: unknown): boolean {
  return typeof path === 'string' && !path.split('/').includes('..') && !/^\/|\\|:/.test(path);
}

function isNoRecord(record: AbsolutePath): ToolError {
  return new ToolError({ code: 'RECORD_MISSING', ...whyMissing(record), data: { record } });
}

function whyMissing(record: AbsolutePath): { readonly message: string; readonly hint: string } {
  const first = 'Record some first: "commit-to-publish collect" or "commit-to-publish ingest".';
  if (statSync(record, { throwIfNoEntry: false })?.isFile() === true)
    return { message: `${record} is a file, but a record is a folder.`, hint: first };
  const collected = listCollected(record);
  const repos = collected.map(({ repo }) => repo).join(', ');
  if (collected.length === 0) return { message: `${record} has no record of events.`, hint: first };
  if (collected.some(({ hasEvents }) => hasEvents))
    return {
      message: `${record} no longer has a record, although events were collected of ${repos}.`,
      hint: 'Collect with --full, which records everything again.',
    };
  return {
    message: `${record} has no events, because ${repos} had nothing to record.`,
    hint: 'See the output of "commit-to-publish collect" for the reason: no package.json at the root, no published package, or no change since --since.',
  };
}
