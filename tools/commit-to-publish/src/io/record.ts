import { existsSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';
import { isSuperseded, ofUnpublished } from '../engine/event-queries.js';
import type { CountedChanges } from '../model/lead-time.js';
import { orDamaged } from './damage.js';
import { Database } from './database.js';
import { loadJournal } from './load-journal.js';
import { loadParquet } from './load-parquet.js';
import { listFiles, type RecordFiles } from './record-files.js';

/** How often a record may change under a reader before that is a failure. */
const ATTEMPTS = 5;

/**
 * Opens all that a record holds as a view `event` of the database, without what was retracted (that is in `recorded` too), and works with it. Others may write and compact meanwhile: if files that were listed are gone, it is done again from the
 * start, so `work` must have no effect but its result. Throws `RECORD_MISSING`, `RECORD_INVALID`, `FILE_UNUSABLE`, `DISK_FULL`, and what `work` throws.
 */
export async function withEvents<T>(database: Database, record: AbsolutePath, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const files = listFiles(record);
    try {
      await defineEvents(database, files);
      return await work();
    } catch (error) {
      const isGone = [...files.segments.map(({ file }) => file), ...files.parquet].some((file) => !existsSync(file));
      if (!isGone || attempt === ATTEMPTS) throw await orDamaged(error, database, files);
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

/** Narrows the view `event` to the changes that count. Call it inside the work of `withEvents`. */
export async function countOnly(database: Database, changes: CountedChanges | undefined): Promise<void> {
  if (changes !== 'published') return;
  const unpublished = await database.rows(`select 1 from recorded where files = 'unpublished' limit 1`);
  if (unpublished.length === 0) return;
  await database.run(
    `create or replace temp view event as from recorded where outcome <> 'retracted' and not ${ofUnpublished('recorded')}`,
  );
}

async function defineEvents(database: Database, { segments, parquet }: RecordFiles): Promise<void> {
  await loadJournal(database, segments);
  await loadParquet(database, parquet);
  const isCompacted = (await database.count('fresh')) === 0;
  await database.run(`delete from fresh where ${isCompacted ? 'false' : isSuperseded('fresh', 'old')}`);
  const whole = `from old where not ${isSuperseded('old', 'fresh')} union all by name from fresh`;
  await database.run(`create or replace temp view recorded as ${isCompacted ? 'from old' : whole}`);
  await database.run(`create or replace temp view event as from recorded where outcome <> 'retracted'`);
}
