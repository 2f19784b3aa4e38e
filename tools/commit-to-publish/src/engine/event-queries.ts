import { EVENT_COLUMNS, EVENT_KEY } from './event-columns.js';
import { quote } from './sql.js';

const COLUMNS = Object.keys(EVENT_COLUMNS).join(', ');

const KEY = EVENT_KEY.join(', ');

/**
 * The events in the lines of files of NDJSON. Lines are parsed as lines, so that one that was torn off by a crash, or is being written now, is left out and harms no other. An event
 * that was sent twice is there twice.
 */
export function journalQuery(files: readonly string[]): string {
  if (files.length === 0) return `select ${emptyColumns()} limit 0`;
  return `
    select unnest(json_transform(line, ${quote(JSON.stringify(EVENT_COLUMNS))}))
    from read_csv([${files.map(quote).join(', ')}], columns = {line: 'VARCHAR'}, delim = '', quote = '', escape = '', header = false, auto_detect = false, max_line_size = 16777216)
    where json_valid(line)`;
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

/** Whether a table `by` has what counts in place of a row of `table`. The same event in both counts as in `fresh`. */
export function isSuperseded(table: string, by: 'old' | 'fresh'): string {
  const same = EVENT_KEY.map((key) => `other.${key} is not distinct from ${table}.${key}`).join(' and ');
  const later = `${rankIn('other')} ${by === 'fresh' ? '>=' : '>'} ${rankIn(table)}`;
  return `exists (select 1 from ${by} other where ${same} and ${later})`;
}

/** What counts among events with the same key: the highest revision, then what is exact before what was derived, then what was recorded last. */
function rankIn(table: string): string {
  return `(coalesce(${table}.revision, 0), ${table}.confidence = 'exact', ${table}.recordedAt, ${table}.id)`;
}

/** The week in which an event ended, as the date of its Monday (UTC): a text, for names of folders. */
export const WEEK = `strftime(date_trunc('week', make_timestamp(endedAt)), '%Y-%m-%d')`;

/** Writes events as Parquet, a folder for each week in `folder`, with files whose names begin with `name`. */
export function writeParquet(query: string, { folder, name }: { readonly folder: string; readonly name: string }): string {
  const rows = `select ${COLUMNS}, ${WEEK} as week from (${query}) order by endedAt`;
  return `copy (${rows}) to ${quote(folder)} (format parquet, compression zstd, partition_by (week), overwrite_or_ignore, filename_pattern ${quote(`${name}{i}`)})`;
}

function emptyColumns(): string {
  return Object.entries(EVENT_COLUMNS)
    .map(([name, type]) => `null::${type} as ${name}`)
    .join(', ');
}
