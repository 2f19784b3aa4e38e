import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { listCollected } from './collected.js';
import type { FileSum } from './file-sum.js';
import { listGone, listSegments, type Segment } from './journal.js';
import { type RecordManifest, readManifest, type WeekIndex } from './manifest.js';
import { isMissing, sumFileOf } from './segment-sum.js';

/** The files of a record to read. */
export interface RecordFiles {
  /** Segments that are not compacted. */
  readonly segments: readonly Segment[];
  /** Parquet files. */
  readonly parquet: readonly string[];
  readonly index: WeekIndex | undefined;
  /** The sums that `compact` wrote for each Parquet file, including the index. */
  readonly sums: ReadonlyMap<string, FileSum>;
}

/**
 * Lists the files of a record, segments first: one that is compacted in between is then in the manifest, or missing, which is noticed.
 * Throws `RECORD_MISSING`, `RECORD_INVALID`.
 */
export function listFiles(record: AbsolutePath): RecordFiles {
  const { segments, manifest } = readContents(record);
  return { segments, ...parquetOf(record, manifest) };
}

/** Returns the Parquet files of a record, by full path. */
export function parquetOf(record: AbsolutePath, manifest: RecordManifest): Omit<RecordFiles, 'segments'> {
  const sums = Object.entries(manifest.sums ?? {}).map(([file, sum]) => [join(record, file), sum] as const);
  return { parquet: manifest.files.map((file) => join(record, file)), index: located(record, manifest), sums: new Map(sums) };
}

function located(record: AbsolutePath, { index }: RecordManifest): WeekIndex | undefined {
  return index && { ...index, publications: join(record, index.publications) };
}

/**
 * Returns the segments that are not compacted, and the manifest, which decides which files count. Throws `RECORD_MISSING`,
 * `RECORD_INVALID`.
 */
export function readContents(record: AbsolutePath): { readonly segments: readonly Segment[]; readonly manifest: RecordManifest } {
  const segments = listSegments(record);
  const manifest = readManifest(record);
  const [gone] = listGone(record, new Set([...segments.map(({ name }) => name), ...manifest.compacted]));
  if (gone !== undefined && !isCompacted(record, gone)) throw isMissing(gone);
  if (manifest.generation === 0 && segments.length === 0) throw missing(record);
  return { segments: segments.filter(({ name }) => !manifest.compacted.includes(name)), manifest: withoutLostIndex(record, manifest) };
}

/**
 * Drops an index that is missing. An index only lets readers skip files: without one they open all, and the next compaction creates one. An
 * index without a sum is not trusted.
 */
function withoutLostIndex(record: AbsolutePath, { index, ...manifest }: RecordManifest): RecordManifest {
  if (index === undefined || manifest.sums?.[index.publications] === undefined) return manifest;
  return existsSync(join(record, index.publications)) ? { ...manifest, index } : manifest;
}

/** Another process may have compacted between the two reads. */
function isCompacted(record: AbsolutePath, file: string): boolean {
  return readManifest(record).compacted.some((name) => file.endsWith(`${name}.ndjson`)) || !existsSync(sumFileOf(file));
}

function missing(record: AbsolutePath): ToolError {
  return new ToolError({ code: 'RECORD_MISSING', ...whyMissing(record), data: { record } });
}

function whyMissing(record: AbsolutePath): { readonly message: string; readonly hint: string } {
  const first = 'Record some first: "commit-to-publish collect" or "commit-to-publish ingest".';
  if (!mayBeFolder(record)) return { message: `${record} is a file, but a record is a folder.`, hint: first };
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

function mayBeFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== true;
}
