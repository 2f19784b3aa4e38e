import { EVENT_KEY } from '../model/event-key.js';
import { EVENT_COLUMNS, REQUIRED_COLUMNS } from './event-columns.js';
import { quote } from './sql.js';

const COLUMNS = Object.keys(EVENT_COLUMNS).join(', ');

const KEY = EVENT_KEY.join(', ');

/** What a line of a journal has. */
const LINE_COLUMNS = { schemaVersion: 'INTEGER', ...EVENT_COLUMNS } as const;

/** Files of NDJSON. `whole`: every line of them is. `torn`: the last line may have been torn off by a crash, or is being written now. */
interface JournalFiles {
  readonly whole: readonly string[];
  readonly torn: readonly string[];
}

/**
 * The lines of files of NDJSON as rows: the columns of an event, and in `is_strange` whether it is none of this version. A line that is no JSON is strange where it may be torn; elsewhere DuckDB refuses all of them. It reads
 * whole files in half the time. An event that was sent twice is there twice.
 */
export function journalQuery({ whole, torn }: JournalFiles): string {
  const lines = [
    ...(whole.length === 0 ? [] : [`select * from read_json(${listOf(whole)}, columns = ${LINE_TYPES}, format = 'newline_delimited')`]),
    ...(torn.length === 0 ? [] : [`select unnest(${EVENT_IN_LINE}) from ${linesOf(torn)}`]),
  ];
  return lines.length === 0
    ? `select ${emptyColumns()}, false as is_strange limit 0`
    : `select ${COLUMNS}, ${IS_STRANGE} as is_strange from (${lines.join(' union all by name ')})`;
}

const LINE_TYPES = `{${Object.entries(LINE_COLUMNS)
  .map(([name, type]) => `${name}: ${quote(type)}`)
  .join(', ')}}`;

/** Null where a line is no JSON. */
const EVENT_IN_LINE = `case when json_valid(line) then json_transform(line, ${quote(JSON.stringify(LINE_COLUMNS))}) end`;

const IS_STRANGE = `(schemaVersion is distinct from 1 or ${REQUIRED_COLUMNS.map((column) => `${column} is null`).join(' or ')})`;

/** The first lines of one file that are no events of this version: `line`, and its `version` where it is an event of another. Empty lines, and zeros that a crash of the machine has left, are none. */
export function strangeLinesQuery(file: string, limit: number): string {
  return `
    select line, schemaVersion as version from (select line, unnest(event) from (select line, ${EVENT_IN_LINE} as event from ${linesOf([file])}))
    where ${IS_STRANGE} and trim(line) <> '' limit ${limit}`;
}

function linesOf(files: readonly string[]): string {
  return `read_csv(${listOf(files)}, columns = {line: 'VARCHAR'}, delim = '', quote = '', escape = '', header = false, auto_detect = false, max_line_size = 16777216)`;
}

/** How many rows of a table may have the same key as another: 0 only if none has. Far cheaper than finding them. */
export function mayRepeat(table: string): string {
  return `select count(*) - count(distinct hash(${KEY})) as repeated from ${table}`;
}

/** The rows of a table, of several with the same key the one that counts. */
export function lastOfEach(table: string): string {
  return `select * from ${table} qualify row_number() over (partition by ${KEY} order by ${rankIn(table)} desc) = 1`;
}

/** The events of files of Parquet. Older files lack the columns that came later. */
export function parquetQuery(files: readonly string[]): string {
  const none = `select ${emptyColumns()} limit 0`;
  if (files.length === 0) return none;
  const all = `from read_parquet(${listOf(files)}, hive_partitioning = false, union_by_name = true)`;
  return `select ${COLUMNS} from (${all} union all by name (${none}))`;
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

/** Whether an event is of a change, and a package, of which the table says somewhere that it touches nothing that is published: a CI job that reports the publication does not know it. */
export function ofUnpublished(table: string): string {
  return `(repo, change, package) in (select (repo, change, package) from ${table} where files = 'unpublished' and outcome <> 'retracted')`;
}

/** The versions of the events in files of Parquet: `file` and `version`, where it is not the one that this program knows. */
export function strangeParquetQuery(files: readonly string[]): string {
  return `
    select file_name as file, decode(value) as version from parquet_kv_metadata(${listOf(files)})
    where decode(key) = 'schemaVersion' and decode(value) <> '${EVENT_VERSION}'`;
}

const EVENT_VERSION = 1;

/** The keys of the rows of `old` in whose place one of `fresh` counts, with their `week`. */
export function lostQuery(): string {
  return `select ${KEY}, ${WEEK} as week from old where ${isSuperseded('old', 'fresh')}`;
}

/** The weeks, sorted, that something of `fresh` comes to, and those that lose something: a correction may end in another week than what it corrects. */
export function changedWeeksQuery(): string {
  return `select distinct ${weekOfDay('day')} as week from (select distinct ${DAY} as day from fresh) union select distinct week from lost order by week`;
}

/** The day on which an event ended, from 1970 (UTC): a number takes far less time than a date. */
export const DAY = `endedAt // ${24 * 3600e6}`;

/** The week of a day, as the date of its Monday: a text, for names of folders. */
export function weekOfDay(day: string): string {
  return `strftime(date_trunc('week', make_timestamp(${day} * ${24 * 3600e6})), '%Y-%m-%d')`;
}

/** The week in which an event ended. */
export const WEEK = weekOfDay(`(${DAY})`);

interface WeekFiles {
  /** As `changedWeeksQuery` has it. */
  readonly week: string;
  /** What it had so far. */
  readonly before: readonly string[];
  readonly file: string;
}

/** Writes the events of a week as Parquet: what it had, without what is in `lost`, and what `fresh` has for it. */
export function writeWeek({ week, before, file }: WeekFiles): string {
  const from = Date.parse(`${week}T00:00:00Z`) * 1000;
  const fresh = `select ${COLUMNS} from fresh where endedAt >= ${from} and endedAt < ${from + 7 * 24 * 3600e6}`;
  const same = EVENT_KEY.map((key) => `lost.${key} is not distinct from kept.${key}`).join(' and ');
  const kept = `select * from (${parquetQuery(before)}) kept where not exists (select 1 from lost where ${same})`;
  const rows = before.length === 0 ? fresh : `${kept} union all by name ${fresh}`;
  return `copy (${rows}) to ${quote(file)} (format parquet, compression zstd, compression_level 1, kv_metadata {schemaVersion: '${EVENT_VERSION}'})`;
}

function listOf(files: readonly string[]): string {
  return `[${files.map(quote).join(', ')}]`;
}

function emptyColumns(): string {
  return Object.entries(EVENT_COLUMNS)
    .map(([name, type]) => `null::${type} as ${name}`)
    .join(', ');
}
