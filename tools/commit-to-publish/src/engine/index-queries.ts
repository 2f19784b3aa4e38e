import { DAY, parquetQuery, WEEK, weekOfDay } from './event-queries.js';
import { IS_PUBLICATION } from './lead-times.js';
import { quote } from './sql.js';

/**
 * Returns the query for `week` and `last`: the last week that has an event of any change with an event in `week`.
 * It uses events without a consumer, because only reports that end with the publication skip weeks, and events that call a change
 * unpublished. `fresh`: only changes with new events; `all`: every change.
 * If the hashes of two changes collide, both reach as far as the further one, which only reads more. Reads `fresh` and `old`.
 * Only joins and sums of numbers: what DuckDB cannot keep in its memory, it writes to disk. It cannot for lists and texts.
 */
export function reachQuery(which: 'fresh' | 'all'): string {
  const days = (table: string): string =>
    `select hash(repo, change) as change, ${DAY} as day from ${table} where consumer is null or files = 'unpublished'`;
  const known = which === 'all' ? '' : ` where change in (select distinct hash(repo, change) from fresh)`;
  return `
    with days as materialized (${days('fresh')} union all select * from (${days('old')})${known}),
    ends as (select change, max(day) as last from days group by change)
    select ${weekOfDay('day')} as week, max(${weekOfDay('last')}) as last
    from (select day, max(last) as last from days join ends using (change) group by day) group by week`;
}

interface IndexWork {
  /** New files, and files with changes that have new events. */
  readonly read: readonly string[];
  readonly all: readonly string[];
  /** The weeks of an existing index that stay unchanged. */
  readonly kept: { readonly file: string; readonly weeks: readonly string[] } | undefined;
  readonly file: string;
}

/**
 * Returns the statement that writes the publications of each week: `week`, `repo`, `package`, `channel` (null if there is none), and
 * `is_aside` if only changes that touch nothing published were in them.
 */
export function indexQuery({ read, all, kept, file }: IndexWork): string {
  const aside = `select distinct repo, change, package from (${parquetQuery(all)}) where files = 'unpublished' and outcome <> 'retracted'`;
  const found = `
    select ${WEEK} as week, repo, package, channel, bool_and(aside.change is not null) as is_aside
    from (select * from (${parquetQuery(read)}) where ${IS_PUBLICATION}) published left join (${aside}) aside using (repo, change, package) group by all`;
  const before =
    kept === undefined ? '' : ` union all select * from (${publicationsQuery(kept.file)}) where week in (${listOf(kept.weeks)})`;
  return `copy (${found}${before}) to ${quote(file)} (format parquet)`;
}

/**
 * Returns the query for the packages published in files that are not open, for a table `published_elsewhere`: `repo`, `package`, `channel`.
 */
export function elsewhereQuery(
  file: string,
  { weeks, changes }: { readonly weeks: readonly string[]; readonly changes: 'published' | 'all' },
): string {
  const counted = changes === 'published' ? ' and not is_aside' : '';
  return `select distinct repo, package, channel from (${publicationsQuery(file)}) where week in (${listOf(weeks)})${counted}`;
}

/** The same query without any rows. */
export const NOTHING_ELSEWHERE = 'select null::varchar as repo, null::varchar as package, null::varchar as channel limit 0';

/** Returns the query for the files, as `file`, that have an event of a change in `fresh`. */
export function holdersQuery(files: readonly string[]): string {
  const names = files.map(quote).join(', ');
  return `
    select distinct filename as file from read_parquet([${names}], filename = true, hive_partitioning = false)
    where (repo, change) in (select (repo, change) from fresh)`;
}

function publicationsQuery(file: string): string {
  return `select week, repo, package, channel, is_aside from read_parquet(${quote(file)}, hive_partitioning = false)`;
}

function listOf(weeks: readonly string[]): string {
  return weeks.length === 0 ? 'null' : weeks.map(quote).join(', ');
}
