import { isSuperseded, lostQuery, mergedQuery, ofUnpublished, parquetQuery, sameKeyQuery } from '../engine/event-queries.js';
import type { Micros } from '../model/event.js';
import type { CountedChanges } from '../model/lead-time.js';
import { AHEAD } from '../model/parse-event.js';
import { checkParquet } from './damage.js';
import type { Database } from './database.js';
import { loadJournal } from './load-journal.js';
import type { RecordFiles } from './record-files.js';

/**
 * Makes the view `merged` of the events of a record, each once, and of several with the same key the one that counts. The table `fresh` has
 * those that only the journal has. Throws `RECORD_INVALID`.
 */
export async function mergeEvents(database: Database, { segments, parquet }: Pick<RecordFiles, 'segments' | 'parquet'>): Promise<void> {
  checkParquet(parquet);
  await loadJournal(database, segments);
  await database.run(`create or replace temp view old as ${parquetQuery(parquet.map(({ file }) => file))}`);
  // Most deliveries replace nothing, and comparing all rows takes long.
  await database.run(`create or replace temp table same_key as ${sameKeyQuery()}`);
  await database.run(`create or replace temp table lost as ${lostQuery()}`);
  if ((await database.count('same_key')) > 0) await database.run(`delete from fresh where ${isSuperseded('fresh', 'same_key')}`);
  const isKept = (await database.count('lost')) === 0;
  await database.run(`create or replace temp view merged as ${mergedQuery(isKept ? 'all' : 'without lost')}`);
}

/** Which events count. */
export interface EventScope {
  readonly changes?: CountedChanges | undefined;
  /** What ends later than clocks may differ is in the table `from_future` alone; missing: all counts. */
  readonly now?: Micros | undefined;
}

/** Makes the views `recorded` and `event`, and the table `from_future`, of a record. Throws `RECORD_INVALID`. */
export async function openEvents(database: Database, files: RecordFiles, { changes, now }: EventScope): Promise<void> {
  await mergeEvents(database, files);
  const isFuture = now === undefined ? 'false' : `endedAt > ${now + AHEAD}`;
  await database.run(
    `create or replace temp table from_future as select count(*) as n, max(endedAt) as last from merged where ${isFuture}`,
  );
  await database.run(`create or replace temp view recorded as select * from merged where not (${isFuture})`);
  await database.run(`create or replace temp view event as from recorded where outcome <> 'retracted'`);
  await countOnly(database, changes);
}

/** Restricts the view `event` to the changes that count. Call it inside the work of `withEvents`. */
export async function countOnly(database: Database, changes: CountedChanges | undefined): Promise<void> {
  if (changes !== 'published') return;
  const unpublished = await database.rows(`select 1 from recorded where files = 'unpublished' limit 1`);
  if (unpublished.length === 0) return;
  await database.run(
    `create or replace temp view event as from recorded where outcome <> 'retracted' and not ${ofUnpublished('recorded')}`,
  );
}
