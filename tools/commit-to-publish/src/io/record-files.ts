import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { listCollected } from './collected.js';
import { nameIn, readJournal } from './journal.js';
import { manifestOf, parquetOf, readManifest } from './manifest.js';
import { type FileSum, isMissing } from './sums.js';

/** The files of a record to read. */
export interface RecordFiles {
  /** Paths of segments. Their events may be in Parquet too, and count once. */
  readonly segments: readonly string[];
  /** At most one, but for a record of an older program, which has one for each week. */
  readonly parquet: readonly ParquetFile[];
  readonly isWeekly: boolean;
  /** Another value says that the record was compacted meanwhile. */
  readonly stamp: string;
}

export interface ParquetFile {
  readonly file: string;
  /** What it may be; empty: not known, because an older program wrote it. */
  readonly sums: readonly FileSum[];
}

/**
 * Lists the files of a record, segments first: the events of one that is compacted in between are then in Parquet, or it is missing, which
 * is noticed. Throws `RECORD_MISSING`, `RECORD_INVALID`.
 */
export function listFiles(record: AbsolutePath): RecordFiles {
  const stamp = stampOf(record);
  const { segments, missing } = readJournal(record);
  const manifest = readManifest(record);
  if (manifest.schemaVersion === 2) {
    const [lost] = missing;
    if (lost !== undefined) throw isMissing(lost);
    const parquet = oneFile(record, manifest.parquet);
    if (segments.length + parquet.length === 0) throw isNoRecord(record);
    return { segments, parquet, isWeekly: false, stamp };
  }
  const { files, compacted, sums = {} } = manifest;
  const lost = missing.find((segment) => !compacted.includes(nameIn(segment)));
  if (lost !== undefined) throw isMissing(lost);
  const parquet = files.map((file): ParquetFile => ({ file: join(record, file), sums: sums[file] === undefined ? [] : [sums[file]] }));
  const fresh = segments.filter((segment) => !compacted.includes(nameIn(segment)));
  if (fresh.length + parquet.length === 0) throw isNoRecord(record);
  return { segments: fresh, parquet, isWeekly: true, stamp };
}

function oneFile(record: AbsolutePath, possible: readonly (FileSum | null)[]): readonly ParquetFile[] {
  const sums = possible.filter((sum) => sum !== null);
  const file = parquetOf(record);
  return sums.length === 0 || (possible.includes(null) && !existsSync(file)) ? [] : [{ file, sums }];
}

/** Returns a text that changes when a compaction begins to replace files, and when it has replaced them. */
export function stampOf(record: AbsolutePath): string {
  const identities = [manifestOf(record), parquetOf(record)].map((file) => {
    const found = existsSync(file) ? statSync(file, { throwIfNoEntry: false, bigint: true }) : undefined;
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  });
  return identities.join(', ');
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
