import { EVENT_COLUMNS, EVENT_KEY, REQUIRED_COLUMNS } from './event-columns.js';
import { quote } from './sql.js';

const COLUMNS = Object.keys(EVENT_COLUMNS).join(', ');

const KEY = EVENT_KEY.join(', ');

/** What a line of a journal has. */
const LINE_COLUMNS = { schemaVersion: 'INTEGER', ...EVENT_COLUMNS } as const;

/**
 * The lines of files of NDJSON as rows: the columns of an event and `schemaVersion`. Lines are parsed as lines, so that one that was torn off by a crash, or is being written now, harms no other: it is a
 * row of nulls, which `isNoEvent` finds. An event that was sent twice is there twice.
 */
export function journalQuery(files: readonly string[]): string {
  if (files.length === 0) return `select null::integer as schemaVersion, ${emptyColumns()} limit 0`;
  const event = `case when json_valid(line) then json_transform(line, ${quote(JSON.stringify(LINE_COLUMNS))}) end`;
  return `select unnest(${event}) from ${linesOf(files)}`;
}

/** Whether a row of `journalQuery` comes from a line that is no event of this version. */
export function isNoEvent(): string {
  return `schemaVersion is distinct from 1 or ${REQUIRED_COLUMNS.map((column) => `${column} is null`).join(' or ')}`;
}

/** The first lines of one file that are no events of this version: `line`, and its `version` where it is an event of another. Empty lines, and zeros that a crash of the machine has left, are none. */
export function strangeLinesQuery(file: string, limit: number): string {
  const parsed = `case when json_valid(line) then json_transform(line, ${quote(JSON.stringify(LINE_COLUMNS))}) end`;
  return `
    select line, schemaVersion as version from (select line, unnest(event) from (select line, ${parsed} as event from ${linesOf([file])}))
    where (${isNoEvent()}) and trim(line) <> '' limit ${limit}`;
}

function linesOf(files: readonly string[]): string {
  return `read_csv([${files.map(quote).join(', ')}], columns = {line: 'VARCHAR'}, delim = '', quote = '', escape = '', header = false, auto_detect = false, max_line_size = 16777216)`;
}

/** How many rows of a table may have the same key as another: 0 only if none has. Far cheaper than finding them. */
export function mayRepeat(table: string): string {
  return `select count(*) - count(distinct hash(${KEY})) as repeated from ${table}`;
}

/** The rows of a table, of several with the same key the one that counts. */
export function lastOfEach(table: string): string {
  return `select * from ${table} qualify row_number() over (partition by ${KEY} order by ${rankIn(table)} desc) = 1`;
}

/** The events of files of Parquet. */
export function parquetQuery(files: readonly string[]): string {
  return files.length === 0
    ? `select ${emptyColumns()} limit 0`
    : `select ${COLUMNS} from read_parquet([${files.map(quote).join(', ')}], hive_partitioning = false)`;
}

/** Whether a table `by` has what counts in place of a row of `table`. What is the same in both counts as in `old`: its week need not be written anew. */
export function isSuperseded(table: string, by: 'old' | 'fresh'): string {
  const same = EVENT_KEY.map((key) => `other.${key} is not distinct from ${table}.${key}`).join(' and ');
  const later = `${rankIn('other')} ${by === 'old' ? '>=' : '>'} ${rankIn(table)}`;
  return `exists (select 1 from ${by} other where ${same} and ${later})`;
}

/** What counts among events with the same key: the highest revision, then what is exact before what was derived, then what was recorded last. Only of what is the same in all columns either counts. */
function rankIn(table: string): string {
  const rest = Object.keys(EVENT_COLUMNS).filter(
    (column) => !(column === 'revision' || RANKED_FIRST.includes(column) || EVENT_KEY.includes(column as EventKey)),
  );
  const required = (column: string): boolean => (REQUIRED_COLUMNS as readonly string[]).includes(column);
  // A comparison with null would be none.
  const columns = [...RANKED_FIRST, ...rest].map((column) =>
    required(column) ? `${table}.${column}` : `coalesce(${table}.${column}, '')`,
  );
  return `(coalesce(${table}.revision, 0), ${table}.confidence = 'exact', ${columns.join(', ')})`;
}

const RANKED_FIRST: readonly string[] = ['recordedAt', 'id'];

type EventKey = (typeof EVENT_KEY)[number];

/** The versions of the events in files of Parquet: `file` and `version`, where it is not the one that this program knows. */
export function strangeParquetQuery(files: readonly string[]): string {
  return `
    select file_name as file, decode(value) as version from parquet_kv_metadata([${files.map(quote).join(', ')}])
    where decode(key) = 'schemaVersion' and decode(value) <> '${EVENT_VERSION}'`;
}

const EVENT_VERSION = 1;

/** The week in which an event ended, as the date of its Monday (UTC): a text, for names of folders. */
export const WEEK = `strftime(date_trunc('week', make_timestamp(endedAt)), '%Y-%m-%d')`;

/** Writes events as Parquet, a folder for each week in `folder`, with files whose names begin with `name`. */
export function writeParquet(query: string, { folder, name }: { readonly folder: string; readonly name: string }): string {
  const rows = `select ${COLUMNS}, ${WEEK} as week from (${query}) order by endedAt`;
  return `copy (${rows}) to ${quote(folder)} (format parquet, compression zstd, partition_by (week), overwrite_or_ignore, filename_pattern ${quote(`${name}{i}`)}, kv_metadata {schemaVersion: '${EVENT_VERSION}'})`;
}

function emptyColumns(): string {
  return Object.entries(EVENT_COLUMNS)
    .map(([name, type]) => `null::${type} as ${name}`)
    .join(', ');
}
