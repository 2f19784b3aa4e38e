import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { type LockHolder, takeLock } from '@tributary/process/lock';
import { syncFile, syncFolder } from '@tributary/process/sync-to-disk';
import { orUnusable } from '@tributary/process/unusable-file';
import { writeParquet } from '../engine/event-queries.js';
import type { Database } from './database.js';
import { closeSegments, listSegments, removeSegments } from './journal.js';
import { mergeEvents } from './open-events.js';
import { listFiles, parquetOf, type RecordFiles, readManifest, writeManifest } from './record-files.js';
import { sumOf } from './sums.js';

export interface Compaction {
  /** The number of events from the journal that were not in Parquet. */
  readonly events: number;
}

/**
 * Merges the journal of a record into its Parquet file; with `look` it only returns what it would do. Other processes may write and read
 * meanwhile. It takes segments of up to `most` bytes together. If it is killed, the record is the old or the new one, and an event that is in the journal and in Parquet counts once.
 * Throws `RECORD_MISSING`, `RECORD_LOCKED`, `RECORD_INVALID`, `DISK_FULL`, `FILE_UNUSABLE`.
 */
export async function compactRecord(
  database: Database,
  record: AbsolutePath,
  doing: 'record' | 'look' = 'record',
  most = MOST,
): Promise<Compaction> {
  const found = listFiles(record); // throws if there is no record, before anything is created
  if (doing === 'look') return { events: await countFresh(database, found) };
  const unlock = orUnusable(record, 'written', () => takeLock(join(record, 'compacting') as AbsolutePath, locked));
  try {
    removeDrafts(record);
    closeSegments(record);
    let events = 0;
    // Those that a manifest of weeks calls compacted are among them, and add nothing.
    for (const segments of inPasses(listSegments(record), most)) {
      const files = { ...listFiles(record), segments };
      const fresh = await countFresh(database, files);
      if (fresh > 0 || readManifest(record).schemaVersion === 1) await replaceParquet(database, record);
      removeSegments(segments);
      events += fresh;
    }
    removeWeeks(record);
    return { events };
  } finally {
    unlock();
  }
}

/** In bytes: a compaction needs memory for what it reads of the journal in a pass. */
const MOST = 2e9;

/** Returns the segments in groups of up to `most` bytes, in their order; a larger one alone. There is at least one group. */
function inPasses(segments: readonly string[], most: number): readonly (readonly string[])[] {
  let pass: string[] = [];
  const passes = [pass];
  let left = most;
  for (const segment of segments) {
    const { size } = statSync(segment);
    if (size > left && pass.length > 0) {
      pass = [];
      passes.push(pass);
      left = most;
    }
    pass.push(segment);
    left -= size;
  }
  return passes;
}

/** Makes the view `merged`. */
async function countFresh(database: Database, files: RecordFiles): Promise<number> {
  await mergeEvents(database, files);
  return database.count('fresh');
}

/** Writes the view `merged` beside the Parquet file, and puts it in its place. */
async function replaceParquet(database: Database, record: AbsolutePath): Promise<void> {
  const file = parquetOf(record);
  const draft = draftOf(record);
  try {
    await database.run(writeParquet(draft));
    orUnusable(record, 'written', () => syncFile(draft));
    const sum = sumOf(draft);
    const before = readManifest(record);
    // Readers accept both files from here on. A manifest of weeks does not name this file, and is replaced when the file is there.
    if (before.schemaVersion === 2) writeManifest(record, { schemaVersion: 2, parquet: [...before.parquet, sum] });
    orUnusable(record, 'written', () => {
      renameSync(draft, file);
      syncFolder(record);
    });
    writeManifest(record, { schemaVersion: 2, parquet: [sum] });
  } catch (error) {
    // On a full disk, the draft would take up space.
    rmSync(draft, { force: true });
    throw error;
  }
}

function draftOf(record: AbsolutePath): string {
  return `${parquetOf(record)}.draft`;
}

/** In milliseconds. Writing a segment takes far less. */
const OLD = 24 * 3600e3;

/** Removes what killed processes began. */
function removeDrafts(record: AbsolutePath): void {
  rmSync(draftOf(record), { force: true });
  for (const folder of [record, join(record, 'journal')]) {
    for (const entry of existsSync(folder) ? readdirSync(folder) : []) {
      const file = join(folder, entry);
      const written = entry.endsWith('.draft') ? statSync(file, { throwIfNoEntry: false })?.mtimeMs : undefined;
      if (written !== undefined && Date.now() - written > OLD) rmSync(file, { force: true });
    }
  }
}

/** Removes the Parquet files of weeks that an older program wrote, and its index. */
function removeWeeks(record: AbsolutePath): void {
  for (const folder of ['events', 'index']) rmSync(join(record, folder), { recursive: true, force: true });
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
