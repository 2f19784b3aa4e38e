import { existsSync } from 'node:fs';
import { isSuperseded, ofUnpublished } from '../engine/event-queries.js';
import { elsewhereQuery, holdersQuery, NOTHING_ELSEWHERE } from '../engine/index-queries.js';
import type { Micros } from '../model/event.js';
import type { CountedChanges } from '../model/lead-time.js';
import { AHEAD } from '../model/parse-event.js';
import { startOfWeek, weekOf } from '../report/question.js';
import { checkIndex, checkParquet, isGone } from './damage.js';
import type { Database } from './database.js';
import { loadParquet } from './load-parquet.js';
import { weekOfFile } from './manifest.js';
import type { RecordFiles } from './record-files.js';

/** The part of a record that is needed. */
export interface EventScope {
  /** Events that changes active since then do not need may be omitted; 0: none may. */
  readonly since: Micros;
  readonly changes: CountedChanges | undefined;
  /** What ends later than clocks may differ is in the table `from_future` alone; missing: all counts. */
  readonly now?: Micros | undefined;
}

/** Makes the views `recorded` and `event`, and the tables `published_elsewhere` and `from_future`, of what is wanted of a record. Call it after `loadJournal`; with an earlier moment again. Throws `RECORD_INVALID`. */
export async function openEvents(database: Database, files: RecordFiles, { since, changes, now }: EventScope): Promise<void> {
  const { open, closed } = await chooseFiles(database, files, since);
  checkParquet(files.sums, closed, 'size');
  checkParquet(files.sums, open, 'content');
  if (closed.length > 0) checkIndex(files);
  await loadParquet(database, open);
  const isCompacted = (await database.count('fresh')) === 0;
  if (!isCompacted) await database.run(`delete from fresh where ${isSuperseded('fresh', 'old')}`);
  const whole = `from old where not ${isSuperseded('old', 'fresh')} union all by name from fresh`;
  const all = isCompacted ? 'from old' : whole;
  const isFuture = now === undefined ? 'false' : `endedAt > ${now + AHEAD}`;
  await database.run(
    `create or replace temp table from_future as select count(*) as n, max(endedAt) as last from (${all}) where ${isFuture}`,
  );
  await database.run(`create or replace temp view recorded as select * from (${all}) where not (${isFuture})`);
  await database.run(`create or replace temp view event as from recorded where outcome <> 'retracted'`);
  await countOnly(database, changes);
  const elsewhere =
    files.index === undefined || closed.length === 0
      ? NOTHING_ELSEWHERE
      : elsewhereQuery(files.index.publications, { weeks: closed.map(weekOfFile), changes: changes ?? 'all' });
  await database.run(`create or replace temp table published_elsewhere as ${elsewhere}`);
}

interface ChosenFiles {
  readonly open: readonly string[];
  readonly closed: readonly string[];
}

/**
 * Chooses the files to open. It skips weeks whose changes all ended before a moment, unless the journal has a new event of one of their
 * changes. That event may correct one in such a week, and how far the change has come is unknown.
 */
async function chooseFiles(database: Database, { parquet, index }: RecordFiles, since: Micros): Promise<ChosenFiles> {
  const from = new Date(startOfWeek(weekOf(since)) / 1000).toISOString().slice(0, 10);
  const isWanted = (file: string): boolean => (index?.reach[weekOfFile(file)] ?? from) >= from;
  const rest = parquet.filter((file) => !isWanted(file));
  const gone = rest.find((file) => !existsSync(file));
  if (gone !== undefined) throw isGone(gone);
  const isCompacted = rest.length === 0 || (await database.count('fresh')) === 0;
  const holders = isCompacted ? new Set() : new Set((await database.rows(holdersQuery(rest))).map(({ file }) => String(file)));
  const closed = rest.filter((file) => !holders.has(file));
  return { open: parquet.filter((file) => !closed.includes(file)), closed };
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
