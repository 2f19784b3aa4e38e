import type { CountedChanges } from '../model/lead-time.js';
import type { ReportQuestion } from '../report/question.js';
import type { Dialect } from './dialect.js';
import { EVENT_COLUMNS } from './event-columns.js';
import { momentTables } from './lead-times.js';
import { coverageQuery, lastQuery, momentsOf, outPackagesQuery, readiedQuery, reportLeadTimesQuery } from './report-queries.js';

interface ReportScript {
  /** The query for all events that count. */
  readonly events: string;
  /** The tables that the queries below read, by name and in this order. Many are read more than once. */
  readonly steps: readonly { readonly name: string; readonly query: string }[];
  /** `label`, `n`, `releases`, `p50` and `p90` in microseconds, and `lower_bounds`: of how many only a lower bound is known. */
  readonly figures: string;
  /** `label`, `ready`, `arrived`. */
  readonly coverage: string;
}

/**
 * Returns the queries of a report for a database that reads the Parquet files of a record. `stored`: a table or function with all its
 * events.
 */
export function reportScript(
  question: ReportQuestion,
  { dialect, stored }: { readonly dialect: Dialect; readonly stored: string },
): ReportScript {
  const { lead } = question;
  const steps = [
    { name: 'out_package', query: outPackagesQuery(lead.channels) },
    ...momentTables(lead, { moments: momentsOf(question), dialect }),
    { name: 'lead_time', query: reportLeadTimesQuery(question) },
    { name: 'readied', query: readiedQuery(question) },
  ];
  const percentile = (share: number): string => `percentile_cont(${share}) within group (order by total)`;
  const figures = `
    select label, count(*) as n, count(distinct came_with) as releases, ${percentile(0.5)} as p50, ${percentile(0.9)} as p90,
      count(*) filter (where is_bound) as lower_bounds
    from (${lastQuery(question, dialect)}) last_weeks group by label order by label`;
  return { events: eventQuery(stored, lead.changes), steps, figures, coverage: `${coverageQuery(question)} order by label` };
}

/** Returns the script as text: statements, with a comment before each result. */
export function formatScript({ events, steps, figures, coverage }: ReportScript, dialect: Dialect): string {
  const statements = [
    `create or replace temporary view event as ${tidy(events)};`,
    ...steps.flatMap(({ name, query }) => dialect.keep(name, tidy(query))),
    `-- P50 and P90 of each row, in microseconds. The report shows a P50 from n = 10 on, and a P90 from n = 36 on. Where there are lower_bounds, both are lower bounds.\n${tidy(figures)};`,
    `-- How many changes were ready in the same weeks, and how many of them have arrived.\n${tidy(coverage)};`,
  ];
  return statements.join('\n\n');
}

function tidy(query: string): string {
  return query
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function eventQuery(stored: string, changes: CountedChanges | undefined): string {
  const columns = Object.keys(EVENT_COLUMNS).join(', ');
  const unpublished = `select repo, change, package from ${stored} where files = 'unpublished' and outcome <> 'retracted'`;
  const counted =
    changes === 'published'
      ? ` and not exists (select 1 from (${unpublished}) aside where aside.repo = stored.repo and aside.change = stored.change and aside.package = stored.package)`
      : '';
  return `select ${columns} from ${stored} stored where outcome <> 'retracted'${counted}`;
}
