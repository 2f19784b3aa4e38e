import { EVENT_KEY } from '../model/event-key.js';
import { EVENT_COLUMNS, REQUIRED_COLUMNS } from './event-columns.js';
import { quote } from './sql.js';

const COLUMNS = Object.keys(EVENT_COLUMNS).join(', ');

const KEY = EVENT_KEY.join(', ');

/** The columns of a line of a journal. */
const LINE_TYPES = `{${Object.entries({ schemaVersion: 'INTEGER', ...EVENT_COLUMNS })
  .map(([name, type]) => `${name}: ${quote(type)}`)
  .join(', ')}}`;

const IS_STRANGE = `(schemaVersion is distinct from 1 or ${REQUIRED_COLUMNS.map((column) => `${column} is null`).join(' or ')})`;

/**
 * Returns the query for the lines of NDJSON files: the columns of an event, and `is_strange` if the line is not an event of this version,
 * or is not JSON. Repeated events are not removed.
 */
export function journalQuery(files: readonly string[]): string {
  return files.length === 0
    ? `select ${emptyColumns()}, false as is_strange limit 0`
    : `select ${COLUMNS}, ${IS_STRANGE} as is_strange from ${linesOf(files)}`;
}

/** Returns the query for the number of strange `lines` in each `filename`, and the latest `version` of an event among them. */
export function strangeLinesQuery(files: readonly string[]): string {
  return `select filename, count(*) as lines, max(schemaVersion) as version from ${linesOf(files)} where ${IS_STRANGE} group by filename`;
}

/** All columns of a line that is not JSON are null. */
function linesOf(files: readonly string[]): string {
  return `read_json(${listOf(files)}, columns = ${LINE_TYPES}, format = 'newline_delimited', ignore_errors = true, filename = true)`;
}

/**
 * Returns a query for the number of rows that may share their key with another row; 0 proves that none does. It compares hashes, which is
 * far cheaper than finding them.
 */
export function mayRepeat(table: string): string {
  return `select count(*) - count(distinct hash(${KEY})) as repeated from ${table}`;
}

/** Returns a query for the rows of a table that count: of rows with the same key, only the highest-ranked one. */
export function lastOfEach(table: string): string {
  return `select * from ${table} qualify row_number() over (partition by ${KEY} order by ${rankIn(table)} desc) = 1`;
}

/** Returns the query for the events in Parquet files. Columns that older files lack are null. */
export function parquetQuery(files: readonly string[]): string {
  const none = `select ${emptyColumns()} limit 0`;
  if (files.length === 0) return none;
  const all = `from read_parquet(${listOf(files)}, hive_partitioning = false, union_by_name = true)`;
  return `select ${COLUMNS} from (${all} union all by name (${none}))`;
}

/**
 * Returns a condition that is true if `by` has an event that replaces the row of `table`. Of equal events the one in `old` counts. `same_key` is the part of `old` that can replace an event of `fresh`, or be replaced by one.
 */
export function isSuperseded(table: string, by: 'same_key' | 'fresh'): string {
  const same = EVENT_KEY.map((key) => `other.${key} is not distinct from ${table}.${key}`).join(' and ');
  const later = `${rankIn('other')} ${by === 'fresh' ? '>' : '>='} ${rankIn(table)}`;
  return `exists (select 1 from ${by} other where ${same} and ${later})`;
}

/**
 * Returns the rank of an event among those with the same key: highest revision, then `exact` before `derived`, then the last recorded. Only
 * events equal in all columns have the same rank.
 */
function rankIn(table: string): string {
  const rest = Object.keys(EVENT_COLUMNS).filter(
    (column) => !(column === 'revision' || RANKED_FIRST.includes(column) || EVENT_KEY.includes(column as EventKey)),
  );
  const required = (column: string): boolean => (REQUIRED_COLUMNS as readonly string[]).includes(column);
  // A comparison with null would have no result.
  const columns = [...RANKED_FIRST, ...rest].map((column) =>
    required(column) ? `${table}.${column}` : `coalesce(${table}.${column}, '')`,
  );
  return `(coalesce(${table}.revision, 0), ${table}.confidence = 'exact', ${columns.join(', ')})`;
}

const RANKED_FIRST: readonly string[] = ['recordedAt', 'id'];

type EventKey = (typeof EVENT_KEY)[number];

/**
 * Returns a condition that is true if the table says of the event's change and package that nothing published is touched. A CI job that
 * reports the publication does not know that.
 */
export function ofUnpublished(table: string): string {
  return `(repo, change, package) in (select (repo, change, package) from ${table} where files = 'unpublished' and outcome <> 'retracted')`;
}

/**
 * Returns the query for the rows of `old` with the key of a row of `fresh`; by hash, so a few others may be among them. `fresh` has about as
 * many rows or more, however long the history is.
 */
export function sameKeyQuery(): string {
  return `select * from old where hash(${KEY}) in (select hash(${KEY}) from fresh)`;
}

/** Returns the query for the keys of rows in `same_key` that a row of `fresh` replaces. */
export function lostQuery(): string {
  return `select ${KEY} from same_key where ${isSuperseded('same_key', 'fresh')}`;
}

/** Returns the query for the rows of `old` and `fresh` together, without those of `old` in `lost`; `all`: there are none. */
export function mergedQuery(which: 'all' | 'without lost'): string {
  const same = EVENT_KEY.map((key) => `lost.${key} is not distinct from old.${key}`).join(' and ');
  const kept = which === 'all' ? '' : ` where not exists (select 1 from lost where ${same})`;
  return `select * from old${kept} union all by name from fresh`;
}

/** Returns the statement that writes the view `merged` as Parquet. */
export function writeParquet(file: string): string {
  return `copy (select ${COLUMNS} from merged order by endedAt) to ${quote(file)} (format parquet, compression zstd, compression_level 1)`;
}

function listOf(files: readonly string[]): string {
  return `[${files.map(quote).join(', ')}]`;
}

function emptyColumns(): string {
  return Object.entries(EVENT_COLUMNS)
    .map(([name, type]) => `null::${type} as ${name}`)
    .join(', ');
}
