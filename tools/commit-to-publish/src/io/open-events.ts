import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  isSuperseded,
  journalQuery,
  lastOfEach,
  lostQuery,
  mayRepeat,
  mergedQuery,
  ofUnpublished,
  parquetQuery,
  sameKeyQuery,
  strangeLinesQuery,
} from '../engine/event-queries.js';
import { quote } from '../engine/sql.js';
import type { Micros } from '../model/event.js';
import type { CountedChanges } from '../model/lead-time.js';
import { AHEAD } from '../model/parse-event.js';
import type { Database } from './database.js';
import { checkSegment } from './journal.js';
import { checkParquet, type RecordFiles } from './record-files.js';
import { checkNames } from './resolve-sides.js';
import { isInvalid, isNewer } from './sums.js';

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

/**
 * Loads the events of segments into the table `fresh`: each once, and of several with the same key only the one that counts. Throws
 * `RECORD_INVALID`.
 */
export async function loadJournal(database: Database, segments: readonly string[]): Promise<void> {
  for (const segment of segments) {
    await database.pause();
    checkSegment(segment);
  }
  await database.run(`create or replace table fresh as ${journalQuery(segments)}`);
  const [row] = await database.rows('select count(*) as strange from fresh where is_strange');
  if (Number(row?.['strange']) > 0) await checkLines(database, segments);
  await database.run('delete from fresh where is_strange');
  await database.run('alter table fresh drop column is_strange');
  const [same] = await database.rows(mayRepeat('fresh'));
  if (Number(same?.['repeated'] ?? 0) > 0) await database.run(`create or replace table fresh as ${lastOfEach('fresh')}`);
}

/**
 * Throws `RECORD_INVALID` for strange lines, except the last one of a segment of an older program that was killed or still writes. All
 * others were acknowledged.
 */
async function checkLines(database: Database, segments: readonly string[]): Promise<void> {
  for (const row of await database.rows(strangeLinesQuery(segments))) {
    const file = String(row['filename']);
    if (Number(row['version'] ?? 0) > 1) throw isNewer(file);
    if (Number(row['lines']) > 1 || isWhole(file)) throw isInvalid(file, 'is damaged');
  }
}

/** Tells whether the last line of a file is complete. */
function isWhole(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const end = Buffer.alloc(1);
    readSync(handle, end, 0, 1, fstatSync(handle).size - 1);
    return end.toString() === '\n';
  } finally {
    closeSync(handle);
  }
}

/** Names of packages and repositories. */
export interface NamedOnly {
  readonly packages: readonly string[];
  readonly repos: readonly string[];
}

/** Which events count. */
export interface EventScope {
  readonly changes?: CountedChanges | undefined;
  /** Only events of these packages and repositories; missing or empty: of all. */
  readonly only?: NamedOnly | undefined;
  /** What ends later than clocks may differ is in the table `from_future` alone; missing: all counts. */
  readonly now?: Micros | undefined;
}

/** Makes the views `recorded` and `event`, and the table `from_future`, of a record. Throws `RECORD_INVALID`, and `NOT_RECORDED` for an unknown name. */
export async function openEvents(database: Database, files: RecordFiles, { changes, now, only }: EventScope): Promise<void> {
  await mergeEvents(database, files);
  const isFuture = now === undefined ? 'false' : `endedAt > ${now + AHEAD}`;
  await database.run(
    `create or replace temp table from_future as select count(*) as n, max(endedAt) as last from merged where ${isFuture}`,
  );
  await database.run(`create or replace temp view recorded as select * from merged where not (${isFuture})`);
  await database.run(`create or replace temp view event as from recorded where outcome <> 'retracted'`);
  await checkNames(database, 'repo', only?.repos ?? []);
  await checkNames(database, 'package', only?.packages ?? []);
  await countOnly(database, changes, only);
}

/** Restricts the view `event` to the changes that count. Call it inside the work of `withEvents`. */
export async function countOnly(database: Database, changes: CountedChanges | undefined, only?: NamedOnly): Promise<void> {
  const conditions = [...among('package', only?.packages), ...among('repo', only?.repos)];
  if (changes === 'published') {
    const unpublished = await database.rows(`select 1 from recorded where files = 'unpublished' limit 1`);
    if (unpublished.length > 0) conditions.push(`not ${ofUnpublished('recorded')}`);
  }
  if (conditions.length === 0) return;
  await database.run(`create or replace temp view event as from recorded where ${["outcome <> 'retracted'", ...conditions].join(' and ')}`);
}

function among(column: string, names: readonly string[] = []): readonly string[] {
  return names.length === 0 ? [] : [`${column} in (${names.map(quote).join(', ')})`];
}
