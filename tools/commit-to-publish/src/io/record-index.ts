import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { syncFile } from '@tributary/process/sync-to-disk';
import { indexQuery, reachQuery } from '../engine/index-queries.js';
import type { Database } from './database.js';
import { type RecordManifest, type WeekIndex, weekOfFile } from './manifest.js';

interface IndexScene {
  readonly record: AbsolutePath;
  /** The manifest before the compaction. */
  readonly manifest: RecordManifest;
  /** The files after it, sorted. */
  readonly files: readonly string[];
  readonly generation: number;
}

/**
 * Returns, for each week that the compaction affects, the last week with an event of its changes; for all weeks if the record has no index.
 * Call it before the compaction writes. Reads `fresh` and `old`.
 */
export async function findReach(database: Database, { index }: RecordManifest): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows(reachQuery(index === undefined ? 'all' : 'fresh'));
  return new Map(rows.map(({ week, last }) => [String(week), String(last)]));
}

/** Writes the index that lets readers skip files. It keeps the entries that the compaction did not affect. */
export async function writeIndex(
  database: Database,
  found: ReadonlyMap<string, string>,
  { record, manifest, files, generation }: IndexScene,
): Promise<WeekIndex> {
  const before = manifest.index;
  const file = `index/${String(generation).padStart(6, '0')}.parquet`;
  const isNew = (path: string): boolean => found.has(weekOfFile(path)) || !manifest.files.includes(path);
  const at = (path: string): string => join(record, path);
  const kept =
    before === undefined ? undefined : { file: at(before.publications), weeks: files.filter((path) => !isNew(path)).map(weekOfFile) };
  await database.run(indexQuery({ read: files.filter(isNew).map(at), all: files.map(at), kept, file: at(file) }));
  syncFile(at(file));
  const reach = files.map((path) => {
    const week = weekOfFile(path);
    return [week, [week, before?.reach[week] ?? week, found.get(week) ?? week].sort().at(-1) ?? week] as const;
  });
  return { publications: file, reach: Object.fromEntries(reach) };
}
