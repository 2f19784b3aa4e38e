import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { type LockHolder, takeLock } from '@tributary/process/lock';
import { syncFile, syncFolder } from '@tributary/process/sync-to-disk';
import { orUnusable } from '@tributary/process/unusable-file';
import { changedWeeksQuery, isSuperseded, lostQuery, sameKeyQuery, writeWeek } from '../engine/event-queries.js';
import { checkIndex, checkParquet, orDamaged } from './damage.js';
import type { Database } from './database.js';
import { makeFolders } from './durable.js';
import { type FileSum, sumOf } from './file-sum.js';
import { closeSegment, LARGEST_SEGMENT, listSegments, type Segment } from './journal.js';
import { loadJournal } from './load-journal.js';
import { loadParquet } from './load-parquet.js';
import { beginManifest, type RecordManifest, weekOfFile, writeManifest } from './manifest.js';
import { parquetOf, readContents } from './record-files.js';
import { findReach, writeIndex } from './record-index.js';
import { sumFileOf } from './segment-sum.js';

export interface Compaction {
  /** The number of events from the journal. With `look`, an event that comes again in a later pass counts twice. */
  readonly events: number;
  /** The weeks whose files were rewritten, sorted. */
  readonly weeks: readonly string[];
}

/**
 * Moves the closed segments of a record into Parquet, one file per week; with `look` it only returns what it would do.
 * Other processes may write and read meanwhile. It takes segments of up to `most` bytes together in a pass, so that its memory does not grow
 * with the journal. A pass is atomic even if killed, because the manifest decides what counts and is replaced last.
 * Throws `RECORD_MISSING`, `RECORD_LOCKED`, `RECORD_INVALID`, `DISK_FULL`, `FILE_UNUSABLE`.
 */
export async function compactRecord(
  database: Database,
  record: AbsolutePath,
  doing: 'record' | 'look' = 'record',
  most = LARGEST_SEGMENT,
): Promise<Compaction> {
  readContents(record); // throws if there is no record, before it creates anything
  const unlock = orUnusable(record, 'written', () => takeLock(join(record, 'compacting') as AbsolutePath, locked));
  try {
    const { segments, manifest } = readContents(record);
    if (doing === 'record') removeLeftovers(record, manifest);
    const closed = segments.filter(({ state }) => state === 'closed');
    const taken = doing === 'record' ? closed.flatMap((segment) => closeSegment(segment) ?? []) : closed;
    const passes: Compaction[] = [];
    for (const pass of inPasses(taken, most))
      passes.push(await compactOrClean(database, { record, doing, manifest: readContents(record).manifest, segments: pass }));
    return {
      events: passes.reduce((sum, { events }) => sum + events, 0),
      weeks: [...new Set(passes.flatMap(({ weeks }) => weeks))].sort(),
    };
  } finally {
    unlock();
  }
}

/** Returns the segments in groups of up to `most` bytes, in their order; a larger one alone. */
function inPasses(segments: readonly Segment[], most: number): readonly (readonly Segment[])[] {
  const passes: Segment[][] = [];
  let left = 0;
  for (const segment of segments) {
    const { size } = statSync(segment.file);
    if (size > left || passes.length === 0) {
      passes.push([]);
      left = most;
    }
    passes.at(-1)?.push(segment);
    left -= size;
  }
  return passes;
}

/** Removes the new files of a failed compaction, which would take up space on a full disk. */
async function compactOrClean(database: Database, scene: Scene): Promise<Compaction> {
  const { record, doing, manifest, segments } = scene;
  try {
    const found = await findFresh(database, scene);
    if (doing === 'record') await writeFresh(database, scene, found.weeks);
    return found;
  } catch (error) {
    const failure = await orDamaged(error, database, { segments, ...parquetOf(record, manifest) });
    if (doing === 'record') removeLeftovers(record, readContents(record).manifest);
    throw failure;
  }
}

interface Scene {
  readonly record: AbsolutePath;
  readonly doing: 'record' | 'look';
  readonly manifest: RecordManifest;
  readonly segments: readonly Segment[];
}

/** Creates the tables `fresh`, `same_key` and `lost`, and the view `old`. */
async function findFresh(database: Database, { record, manifest, segments }: Scene): Promise<Compaction> {
  const { parquet, index, sums } = parquetOf(record, manifest);
  await loadJournal(database, segments);
  // Rewriting a damaged file would make it look intact.
  checkParquet(sums, parquet, 'content');
  checkIndex({ sums, index });
  await loadParquet(database, parquet);
  await database.run(`create or replace table same_key as ${sameKeyQuery()}`);
  // Most deliveries replace nothing, and comparing all rows takes a third of a compaction.
  if ((await database.count('same_key')) > 0) await database.run(`delete from fresh where ${isSuperseded('fresh', 'same_key')}`);
  await database.run(`create or replace table lost as ${lostQuery()}`);
  const weeks = (await database.rows(changedWeeksQuery())).map(({ week }) => String(week));
  return { events: await database.count('fresh'), weeks };
}

async function writeFresh(database: Database, { record, manifest, segments }: Scene, weeks: readonly string[]): Promise<void> {
  const generation = manifest.generation + 1;
  const reach = await findReach(database, manifest);
  const written = await writeWeeks(database, { record, weeks, generation, before: manifest.files });
  const kept = manifest.files.filter((file) => !weeks.includes(weekOfFile(file)));
  const files = [...kept, ...written].sort();
  const index = await writeIndex(database, reach, { record, manifest, files, generation });
  const sum = (file: string): readonly [string, FileSum] => [file, manifest.sums?.[file] ?? sumOf(join(record, file))];
  const next: RecordManifest = {
    schemaVersion: 1,
    generation,
    files,
    index,
    sums: Object.fromEntries([...files, index.publications].map(sum)),
    compacted: segments.map(({ name }) => name),
  };
  writeManifest(record, next);
  removeLeftovers(record, next);
}

interface WeekWork {
  readonly record: AbsolutePath;
  readonly weeks: readonly string[];
  readonly generation: number;
  /** All existing files. */
  readonly before: readonly string[];
}

/** Writes a new file for each week, and returns their paths relative to the record. The files are on disk when it returns. */
async function writeWeeks(database: Database, { record, weeks, generation, before }: WeekWork): Promise<readonly string[]> {
  const fileOf = (week: string): string => `events/week=${week}/${String(generation).padStart(6, '0')}_0.parquet`;
  const filesBefore = (week: string): readonly string[] =>
    before.filter((file) => weekOfFile(file) === week).map((file) => join(record, file));
  const files = weeks.map(fileOf);
  beginManifest(record);
  orUnusable(record, 'written', () => {
    for (const file of files) makeFolders(dirname(join(record, file)));
    makeFolders(join(record, 'index'));
  });
  await database.runAll(weeks.map((week) => writeWeek({ week, before: filesBefore(week), file: join(record, fileOf(week)) })));
  orUnusable(record, 'written', () => {
    for (const file of files) syncFile(join(record, file));
    if (files.length > 0) syncFolder(join(record, 'events'));
  });
  return files;
}

/** Removes what a compaction replaced, or what a killed one began. */
function removeLeftovers(record: AbsolutePath, manifest: RecordManifest): void {
  // The sum first: a segment without a sum is accepted, but a sum without its segment is an error.
  for (const name of manifest.compacted) rmSync(sumFileOf(join(record, 'journal', `${name}.ndjson`)), { force: true });
  for (const { name, file } of listSegments(record)) if (manifest.compacted.includes(name)) rmSync(file, { force: true });
  for (const file of leftoversOf(record, manifest)) rmSync(join(record, file), { force: true });
  for (const file of readdirSync(record)) if (/^record\.json\.\d+\.draft$/.test(file)) rmSync(join(record, file), { force: true });
}

/**
 * Returns the Parquet files that a killed compaction left, relative to the record. They do not count, and the next compaction removes them.
 */
export function leftoversOf(record: AbsolutePath, { files, index }: RecordManifest): readonly string[] {
  const parts = new Set([...files, index?.publications]);
  return filesIn(record).filter((file) => !parts.has(file));
}

/** Relative to the record. */
function filesIn(record: AbsolutePath): readonly string[] {
  return parquetAmong(readdirSync(record, { recursive: true, encoding: 'utf8' }));
}

/** The files of Parquet among paths as the system writes them, as the manifest writes them. */
export function parquetAmong(paths: readonly string[], separator: string = sep): readonly string[] {
  const files = paths.map((path) => path.split(separator).join('/'));
  return files.filter((file) => /^(?:events\/week=[\d-]+\/\d+_\w+|index\/\d+)\.parquet$/.test(file));
}

function locked(file: string, holder: LockHolder | undefined): ToolError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`;
  return new ToolError({
    code: 'RECORD_LOCKED',
    message: `${who} is compacting this record.`,
    hint: `Wait for it to end; you can record and read meanwhile. If it is no longer running, remove ${file}.`,
    data: { file, holder },
  });
}
