import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isSuperseded, parquetQuery } from '../engine/event-queries.js';
import { Database } from './database.js';
import { listSegments } from './journal.js';
import { loadJournal } from './load-journal.js';
import { readManifest } from './manifest.js';

/** How often a record may change under a reader before that is a failure. */
const ATTEMPTS = 5;

/**
 * Opens all that a record holds as a view `event` of the database, without what was retracted (that is in `recorded` too), and works with it. Others may write and compact meanwhile: if files that were listed are gone, it is done again from the
 * start, so `work` must have no effect but its result. Throws `RECORD_MISSING`, `RECORD_INVALID`, and what `work` throws.
 */
export async function withEvents<T>(database: Database, record: AbsolutePath, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const files = listFiles(record);
    try {
      await defineEvents(database, files);
      return await work();
    } catch (error) {
      const isGone = [...files.segments, ...files.parquet].some((file) => !existsSync(file));
      if (!isGone || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The same with a database of its own. */
export async function withRecord<T>(record: AbsolutePath, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await Database.open();
  try {
    return await withEvents(database, record, () => work(database));
  } finally {
    database.close();
  }
}

interface RecordFiles {
  readonly segments: readonly string[];
  readonly parquet: readonly string[];
}

/** The segments first: those that are compacted in between are in the manifest then, or gone, which is noticed. */
function listFiles(record: AbsolutePath): RecordFiles {
  const segments = listSegments(record);
  const { files, compacted, generation } = readManifest(record);
  if (generation === 0 && segments.length === 0) throw missing(record);
  return {
    segments: segments.filter(({ name }) => !compacted.includes(name)).map(({ file }) => file),
    parquet: files.map((file) => join(record, file)),
  };
}

async function defineEvents(database: Database, { segments, parquet }: RecordFiles): Promise<void> {
  await loadJournal(database, segments);
  await database.run(`create or replace temp view old as ${parquetQuery(parquet)}`);
  const isCompacted = (await database.count('fresh')) === 0;
  await database.run(`delete from fresh where ${isCompacted ? 'false' : isSuperseded('fresh', 'old')}`);
  const whole = `from old where not ${isSuperseded('old', 'fresh')} union all by name from fresh`;
  await database.run(`create or replace temp view recorded as ${isCompacted ? 'from old' : whole}`);
  await database.run(`create or replace temp view event as from recorded where outcome <> 'retracted'`);
}

function missing(record: AbsolutePath): ToolError {
  return new ToolError({
    code: 'RECORD_MISSING',
    message: `${record} has no record of events.`,
    hint: 'Record some first: "commit-to-publish collect" or "commit-to-publish ingest".',
    data: { record },
  });
}
