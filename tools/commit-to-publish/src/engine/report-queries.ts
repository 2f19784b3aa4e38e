import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { GroupBy, ReportQuestion } from '../report/question.js';
import { startOfWeek, timeOfFigures, WEEK, weekOf } from '../report/question.js';
import { type Dialect, DUCKDB } from './dialect.js';
import { endsFrom, isOn, isOut, leadTimesFrom, type Moments, readyFrom, stageColumnsOf } from './lead-times.js';
import { withReleases } from './releases.js';
import { quote } from './sql.js';

/** What of the moments a report stands on. */
export function momentsOf({ by, actor }: Pick<ReportQuestion, 'by' | 'actor'>): Moments {
  return by === 'stage' || actor !== 'all' ? 'stages' : 'ends';
}

/**
 * The earliest moment that any figure of a report looks at. A change that did nothing since then was neither ready nor out in its time, so that no event of it needs to be read.
 * It holds for the weeks before, with which a gate compares, too.
 */
export function horizonOf({ since, until, weeks }: Pick<ReportQuestion, 'since' | 'until' | 'weeks'>): Micros {
  return Math.max(0, Math.min(since - (weeks - 1) * WEEK, until - (2 * weeks + 1) * WEEK)) as Micros;
}

/** All events of the changes of whose packages there is an event since a moment, for a view `recent`: what was before it counts for them too. */
export function recentQuery(horizon: Micros): string {
  return `from event semi join (from event where endedAt >= ${horizon} and consumer is null) using (repo, change)`;
}

/** The packages that were ever published where it counts, for a table `out_package`: `repo`, `package`. */
export function outPackagesQuery(channels: ReadonlySet<string>): string {
  return `select distinct repo, package from event where ${isOut(channels)}`;
}

/** The same of a record of which not all files are open. */
export function allOutPackagesQuery(channels: ReadonlySet<string>): string {
  return `${outPackagesQuery(channels)} union select distinct repo, package from published_elsewhere where ${isOn(channels)}`;
}

/**
 * The lead times that a report is about, whenever they ended, for a table `lead_time` that the other queries read. For a repository and a team without those of changes that
 * have not come out whole. Reads `momentTables` and `out_package`.
 */
export function reportLeadTimesQuery({ by, actor, lead }: Pick<ReportQuestion, 'by' | 'actor' | 'lead'>): string {
  const leadTimes = momentsOf({ by, actor }) === 'stages' ? leadTimesFrom(lead) : endsFrom(lead);
  return by === 'repo' || by === 'team' ? withoutHeld(leadTimes, by, lead) : leadTimes;
}

/**
 * The lead times of a report as rows of `label`, `week` (as `weekOf`) and `total` (microseconds): one for each change and package, or for a repository and a team one for each change,
 * which ends when the last of its packages is out. By stage one for each stage that is known. With the weeks before the report that its first points take together. `leadTimes`: where the rows of `reportLeadTimesQuery` are.
 */
export function groupedQuery(question: ReportQuestion, leadTimes = 'lead_time'): string {
  return weekly(grouped(inTime(leadTimes, question), question, { more: [] }));
}

/** The same of the last weeks alone, with `came_with` as `withReleases` has it: of a change of several packages that of the last. To find it takes long. Reads `lead_time`. */
export function lastWithReleasesQuery(question: ReportQuestion, dialect = DUCKDB): string {
  const last = `(${inTime('lead_time', question, timeOfFigures(question).from)})`;
  return weekly(grouped(withReleases(last, question.lead), question, { more: ['came_with'], dialect }));
}

function weekly(rows: string): string {
  return `select counting.*, cast(floor((ended_at - ${startOfWeek(0)}) / ${WEEK}) as bigint) as week from (${rows}) counting`;
}

/** What was ready in the last weeks of a report and can be measured, for a table `readied`: `label`, `repo`, `change`, `package`, `ready_at`, and `has_arrived`. Reads `lead_time`. */
export function readiedQuery(question: ReportQuestion): string {
  const { by } = question;
  return `
    with arrived as (select distinct repo, change, package, 1 as is_out from (${counted('lead_time', by)}) counting where counts_at < ${timeOfFigures(question).to})
    select ${labelOf(by)} as label, repo, change, package, ready_at, is_out is not null as has_arrived
    from (${readyInTime(question)}) ready left join arrived using (repo, change, package) where is_out is not null or not is_unmeasured`;
}

function readyInTime(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  return `select * from (${readyFrom(question.lead, 'out_package')}) whenever where ready_at >= ${from} and ready_at < ${to}${ofActor(question)}`;
}

/** How many changes were ready, and how many of them have arrived, by `label`; by package a change counts once for each. By stage it is that of all stages together. Reads `readied`. */
export function coverageQuery({ by }: Pick<ReportQuestion, 'by'>): string {
  const unit = `(${unitOf(by)})`;
  return `select label, count(distinct ${unit}) as ready, count(distinct ${unit}) filter (where has_arrived) as arrived from readied group by label`;
}

/**
 * How long each change that was ready in the last weeks has taken, or has waited up to the end of the report: `label`, `value` (microseconds, DOUBLE), `has_arrived`. By package one for each lead time, and, where it ends
 * with a consumer, one for each consumer that still waits; else one for each change. Reads `readied` and `lead_time`.
 */
export function waitingTimesQuery(question: ReportQuestion): string {
  const { by, lead } = question;
  const { to } = timeOfFigures(question);
  const joined = 'from readied left join (select repo, change, package, ended_at from lead_time) using (repo, change, package)';
  const times =
    by !== 'package'
      ? `select label, min(ready_at) as ready_at, max(ended_at) as ended_at ${joined} group by label, repo, change`
      : lead.until === 'published'
        ? `select label, ready_at, ended_at ${joined}`
        : timesOfConsumers(lead);
  return `
    select label, (least(coalesce(ended_at, ${to}), ${to}) - ready_at)::double as value, coalesce(ended_at < ${to}, false) as has_arrived
    from (${times})`;
}

/** A change waits for a consumer that has taken a version of its package before it was ready: what came out earlier nobody knows. With its release at the end only where a consumer releases at all. */
function timesOfConsumers({ until, channels }: LeadTimeQuestion): string {
  const releasing = `semi join (from event where stage = 'publish' and ${isOn(channels)}) using (repo, package, consumer)`;
  return `
    select label, ready_at, ended_at from readied
    join (select repo, package, consumer, min(endedAt) as since from event where stage = 'upgrade-merge' and consumer is not null group by all) using (repo, package)
    ${until === 'released' ? releasing : ''}
    left join (select repo, change, package, consumer, ended_at from lead_time) using (repo, change, package, consumer)
    where ended_at is not null or ready_at >= since`;
}

/** How many changes (`n`) wait in a row of the report, whichever. Reads `readied`. */
export function waitingQuery({ by }: Pick<ReportQuestion, 'by'>): string {
  return `select count(distinct (repo, change)) as n from (select repo, change from readied group by label, ${unitOf(by)} having not bool_or(has_arrived))`;
}

/** How many of the changes (`n`) that were ready in the last weeks are none of `changesQuery`, which a table `change_time` has. */
export function waitingWholeQuery(question: ReportQuestion): string {
  return `select count(distinct (repo, change)) as n from (${readyInTime(question)}) ready anti join change_time using (repo, change) where not is_unmeasured`;
}

function unitOf(by: GroupBy): string {
  return by === 'repo' || by === 'team' ? 'repo, change' : 'repo, change, package';
}

/** How many changes arrived in the last weeks of the report (`n`) without an approval that is known: git has none, and what nobody approved after its last push has none. Reads `lead_time`. */
export function unapprovedQuery(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  const last = `ended_at >= ${from} and ended_at < ${to}${ofActor(question)}`;
  return `
    select count(distinct (repo, change)) as n from lead_time semi join (
      select repo, change, package from event where stage = 'merge-wait' and consumer is null and confidence <> 'exact'
    ) using (repo, change, package) where ${last}`;
}

/** The lead times of a report's changes, each change once: that of the package which came out last. The columns of `withReleases`, with `week` and `total` as in `groupedQuery`. */
export function changesQuery(question: ReportQuestion): string {
  const { lead } = question;
  const whole = withoutHeld(leadTimesFrom(lead), 'repo', lead);
  return `
    select *, (ended_at - ${startOfWeek(0)}) // ${WEEK}::bigint as week, (ended_at - ready_at)::double as total
    from (${withReleases(`(${inTime(`(${whole})`, { ...question, by: 'repo' })})`, lead)})
    qualify row_number() over (partition by repo, change order by ended_at desc, package, consumer) = 1`;
}

/** Those rows of a source that ended in the time of a report, or from another moment on; without one, with the weeks that its first points take together. */
export function inTime(source: string, question: ReportQuestion, from = question.since - (question.weeks - 1) * WEEK): string {
  const earliest = Math.max(from, question.earliest ?? 0);
  const { to } = timeOfFigures(question);
  return `select * from (${counted(source, question.by)}) counting where counts_at >= ${earliest} and counts_at < ${to}${ofActor(question)}`;
}

/** With `counts_at`, when a lead time counts: for a repository and a team a change is out with the last of its packages. */
function counted(source: string, by: GroupBy): string {
  const end = by === 'repo' || by === 'team' ? `max(ended_at) over (partition by ${labelOf(by)}, repo, change)` : 'ended_at';
  return `select ended.*, ${end} as counts_at from ${source} ended`;
}

/** The rows of a query for lead times whose changes are out with all their packages, or with all that belong to one team. */
function withoutHeld(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
  return `
    with found as (${leadTimes}), held as (${heldQuery('found', by, lead)})
    select * from found where not exists (select 1 from held where held.label = ${labelOf(by, 'found')} and held.repo = found.repo and held.change = found.change)`;
}

/**
 * The changes, as `label`, `repo`, `change`, of which a package waits though others may be out: they have not come to their end. A package that was never published holds up none: what it waits for is a first
 * publication, and nothing can be measured to that. `leadTimes`: where the lead times of all packages are. Reads `momentTables` and `out_package`.
 */
export function heldQuery(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
  return `
    select distinct ${labelOf(by)} as label, repo, change from (${readyFrom({ ...lead, ready: 'merged' }, 'out_package')}) ready
    where not is_unmeasured and not exists (select 1 from ${leadTimes} out_too where out_too.repo = ready.repo and out_too.change = ready.change and out_too.package = ready.package)`;
}

export function weeksOf({ since, until, weeks }: Pick<ReportQuestion, 'since' | 'until' | 'weeks'>): {
  readonly first: number;
  readonly count: number;
} {
  const first = weekOf(since) - (weeks - 1);
  return { first, count: weekOf(until) - first };
}

interface Columns {
  /** Columns that are wanted beside. */
  readonly more: readonly 'came_with'[];
  readonly dialect?: Dialect;
}

function grouped(wanted: string, question: ReportQuestion, columns: Columns): string {
  return question.by === 'stage' ? byStage(wanted, question, columns) : byLabel(wanted, question.by, columns);
}

function byLabel(wanted: string, by: GroupBy, { more, dialect = DUCKDB }: Columns): string {
  if (by === 'package')
    return `select ${['package as label', ...more].join(', ')}, ended_at, ended_at - ready_at as total from (${wanted}) wanted`;
  // Of several that end at the same moment the last by name, whatever the order in which they are read.
  const ofLast = more.map((column) => `${dialect.pick('last', { value: column, order: ['ended_at'] })} as ${column}`);
  return `
    select ${[`${labelOf(by)} as label`, ...ofLast].join(', ')}, max(ended_at) as ended_at, max(ended_at) - min(ready_at) as total
    from (${wanted}) wanted group by ${labelOf(by)}, repo, change`;
}

/** Not `unpivot`, which PostgreSQL lacks. */
function byStage(wanted: string, { lead }: ReportQuestion, { more }: Columns): string {
  const rowsOf = (column: string): string =>
    `select ${quote(column.replaceAll('_', '-'))} as label, ${[...more, 'ended_at'].join(', ')}, ${column} as total from wanted where ${column} is not null`;
  const rows = stageColumnsOf(lead).map(({ column }) => rowsOf(column));
  return `with wanted as (${wanted}) ${rows.join(' union all ')}`;
}

/** What every row is called where only stages are told apart. */
export const ALL_STAGES = 'all';

/** What a row of a report is called, as an expression; who belongs to no team stands together. */
export function labelOf(by: GroupBy, table?: string): string {
  const column = table === undefined ? by : `${table}.${by}`;
  switch (by) {
    case 'package':
    case 'repo':
      return column;
    case 'team':
      return `coalesce(${column}, '(no team)')`;
    case 'stage':
      return quote(ALL_STAGES);
  }
}

/** The end of a condition. */
export function ofActor({ actor }: ReportQuestion): string {
  return actor === 'all' ? '' : ` and actor = ${quote(actor)}`;
}
