import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Holder, takeLock } from '@tributary/process/lock';
import { orUnusable } from '@tributary/process/unusable-file';
import { isSuperseded, parquetQuery, WEEK, writeParquet } from '../engine/event-queries.js';
import { orDamaged } from './damage.js';
import type { Database } from './database.js';
import { makeFolders, syncFile, syncFolder } from './durable.js';
import { listSegments, type Segment } from './journal.js';
import { loadJournal } from './load-journal.js';
import { loadParquet } from './load-parquet.js';
import { type Manifest, writeManifest } from './manifest.js';
import { readContents } from './record-files.js';

export interface Compaction {
  /** How many events came from the journal. */
  readonly events: number;
  /** The weeks whose files were written anew, sorted. */
  readonly weeks: readonly string[];
}

/**
 * Brings the closed segments of a record into Parquet, a file for each week. Others may write and read meanwhile; killed at any moment it has happened entirely or not at all, for what
 * counts is the manifest, which is replaced last. Throws `RECORD_MISSING`, `RECORD_LOCKED`, `RECORD_INVALID`, `DISK_FULL`, `FILE_UNUSABLE`.
 */
export async function compactRecord(database: Database, record: AbsolutePath): Promise<Compaction> {
  readContents(record); // a folder that holds no record is left as it is
  const unlock = orUnusable(record, 'written', () => takeLock(join(record, 'compacting') as AbsolutePath, locked));
  try {
    const { segments, manifest } = readContents(record);
    removeLeftovers(record, manifest);
    const closed = segments.filter(({ state }) => state === 'closed');
    return closed.length === 0 ? { events: 0, weeks: [] } : await compactOrClean(database, { record, manifest, segments: closed });
  } finally {
    unlock();
  }
}

/** What one that fails has begun is in the way where the disk is full. */
async function compactOrClean(database: Database, scene: Scene): Promise<Compaction> {
  const { record, manifest, segments } = scene;
  try {
    return await compact(database, scene);
  } catch (error) {
    const failure = await orDamaged(error, database, { segments, parquet: manifest.files.map((file) => join(record, file)) });
    removeLeftovers(record, readContents(record).manifest);
    throw failure;
  }
}

interface Scene {
  readonly record: AbsolutePath;
  readonly manifest: Manifest;
  readonly segments: readonly Segment[];
}

async function compact(database: Database, { record, manifest, segments }: Scene): Promise<Compaction> {
  await loadJournal(database, segments);
  await loadParquet(
    database,
    manifest.files.map((file) => join(record, file)),
  );
  if (manifest.files.length > 0) await database.run(`delete from fresh where ${isSuperseded('fresh', 'old')}`);
  const weeks = await readWeeks(database, manifest);
  const isReplaced = (file: string): boolean => weeks.includes(weekOfFile(file));
  const before = manifest.files.filter(isReplaced).map((file) => join(record, file));
  const generation = manifest.generation + 1;
  if (weeks.length > 0) await writeWeeks(database, { record, generation, before });
  const written = filesIn(record).filter((file) => file.includes(nameOf(generation)));
  const kept = manifest.files.filter((file) => !isReplaced(file));
  const next: Manifest = { schemaVersion: 1, generation, files: [...kept, ...written].sort(), compacted: segments.map(({ name }) => name) };
  writeManifest(record, next);
  removeLeftovers(record, next);
  return { events: await database.count('fresh'), weeks };
}

/** Those that something comes to, and those that lose something: a correction may end in another week than what it corrects. */
async function readWeeks(database: Database, { files }: Manifest): Promise<readonly string[]> {
  const losing = files.length === 0 ? '' : ` union select distinct ${WEEK} from old where ${isSuperseded('old', 'fresh')}`;
  const rows = await database.rows(`select distinct ${WEEK} as week from fresh${losing} order by week`);
  return rows.map(({ week }) => String(week));
}

interface WeekWork {
  readonly record: AbsolutePath;
  readonly generation: number;
  /** The files that these weeks have so far. */
  readonly before: readonly string[];
}

/** All weeks at once: DuckDB sorts the events into a folder for each. They are on the disk when it returns. */
async function writeWeeks(database: Database, { record, generation, before }: WeekWork): Promise<void> {
  const kept = `select * from (${parquetQuery(before)}) kept where not ${isSuperseded('kept', 'fresh')}`;
  const all = before.length === 0 ? 'select * from fresh' : `${kept} union all by name select * from fresh`;
  const folder = join(record, 'events');
  orUnusable(folder, 'written', () => makeFolders(folder));
  await database.run(writeParquet(all, { folder, name: nameOf(generation) }));
  const written = filesIn(record).filter((file) => file.includes(nameOf(generation)));
  orUnusable(folder, 'written', () => {
    for (const file of written) syncFile(join(record, file));
    syncFolder(folder);
  });
}

/** The beginning of the names of the files that a compaction writes. */
function nameOf(generation: number): string {
  return `${String(generation).padStart(6, '0')}_`;
}

function weekOfFile(file: string): string {
  return /week=([\d-]+)/.exec(file)?.[1] ?? '';
}

/** What a compaction has replaced, or one that was killed had begun. */
function removeLeftovers(record: AbsolutePath, manifest: Manifest): void {
  for (const { name, file } of listSegments(record)) if (manifest.compacted.includes(name)) rmSync(file, { force: true });
  for (const file of filesIn(record)) if (!manifest.files.includes(file)) rmSync(join(record, file), { force: true });
  for (const file of readdirSync(record)) if (/^record\.json\.\d+\.draft$/.test(file)) rmSync(join(record, file), { force: true });
}

/** From the folder of the record. */
function filesIn(record: AbsolutePath): readonly string[] {
  return readdirSync(record, { recursive: true, encoding: 'utf8' }).filter((file) => /^events\/week=[\d-]+\/\d+_\w+\.parquet$/.test(file));
}

function locked(file: string, holder: Holder | undefined): ToolError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`;
  return new ToolError({
    code: 'RECORD_LOCKED',
    message: `${who} compacts this record.`,
    hint: `Wait for it; recording and reading go on meanwhile. If you are sure that it is gone, remove ${file}.`,
    data: { file, holder },
  });
}
