import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { GroupBy, ReportQuestion } from '../report/question.js';
import { startOfWeek, timeOfFigures, WEEK, weekOf } from '../report/question.js';
import { type Dialect, DUCKDB } from './dialect.js';
import { endsFrom, isOn, isOut, leadTimesFrom, type Moments, readyFrom, stageColumnsOf } from './lead-times.js';
import { withReleases } from './releases.js';
import { quote } from './sql.js';

/** Returns which moments a report needs. */
export function momentsOf({ by, actor }: Pick<ReportQuestion, 'by' | 'actor'>): Moments {
  return by === 'stage' || actor !== 'all' ? 'stages' : 'ends';
}

/**
 * Returns the earliest moment that any figure of a report uses, including the weeks before, with which a gate compares. A change without
 * events since then was neither ready nor published in that time, so its events need not be read.
 */
export function horizonOf({ since, until, weeks }: Pick<ReportQuestion, 'since' | 'until' | 'weeks'>): Micros {
  return Math.max(0, Math.min(since - (weeks - 1) * WEEK, until - (2 * weeks + 1) * WEEK)) as Micros;
}

/**
 * Returns the query for all events of the changes that have an event since `horizon`, for a view `recent`. Earlier events of these changes
 * count too.
 */
export function recentQuery(horizon: Micros): string {
  return `from event semi join (from event where endedAt >= ${horizon} and consumer is null) using (repo, change)`;
}

/** Returns the query for the packages ever published on a channel that counts, for a table `out_package`: `repo`, `package`. */
export function outPackagesQuery(channels: ReadonlySet<string>): string {
  return `select distinct repo, package from event where ${isOut(channels)}`;
}

/**
 * Returns the query for the lead times of a report, whenever they ended, for a table `lead_time` that the other queries read. By repository
 * or team it excludes changes with packages that still wait. Reads `momentTables` and `out_package`.
 */
export function reportLeadTimesQuery({ by, actor, lead }: Pick<ReportQuestion, 'by' | 'actor' | 'lead'>): string {
  const leadTimes = momentsOf({ by, actor }) === 'stages' ? leadTimesFrom(lead) : endsFrom(lead);
  return by === 'repo' || by === 'team' ? withoutHeld(leadTimes, by, lead) : leadTimes;
}

/**
 * Returns the query for the lead times of a report as `label`, `week` (as `weekOf`), `total` (microseconds) and `is_bound`.
 * A row is a change and package; by repository or team a change, which ends when its last package is published; by stage a known stage. It
 * includes the weeks before the report that belong to its first points. `is_bound`: as in `withBounds`; of several packages, the whole is a
 * lower bound if any of them is.
 * `leadTimes`: a table with the rows of `reportLeadTimesQuery`.
 */
export function groupedQuery(question: ReportQuestion, leadTimes = 'lead_time'): string {
  return weekly(grouped(inTime(leadTimes, question), question, { more: [] }));
}

/**
 * Returns the same query for the last weeks only, with `came_with` of `withReleases`, which is slow to compute. A change of several
 * packages has that of the last. Reads `lead_time`.
 */
export function lastQuery(question: ReportQuestion, dialect = DUCKDB): string {
  const last = withReleases(`(${inTime('lead_time', question, timeOfFigures(question).from)})`, question.lead);
  return weekly(grouped(last, question, { more: ['came_with'], dialect }));
}

function weekly(rows: string): string {
  return `select counting.*, cast(floor((ended_at - ${startOfWeek(0)}) / ${WEEK}) as bigint) as week from (${rows}) counting`;
}

/**
 * Returns the query for measurable changes that were ready in the last weeks, for a table `readied`: `label`, `repo`, `change`, `package`,
 * `ready_at`, and `has_arrived`. Reads `lead_time`.
 */
export function readiedQuery(question: ReportQuestion): string {
  const { by } = question;
  return `
    with arrived as (select distinct repo, change, package, 1 as is_out from (${counted('lead_time', question)}) counting where counts_at < ${timeOfFigures(question).to})
    select ${labelOf(by)} as label, repo, change, package, ready_at, is_out is not null as has_arrived
    from (${readyInTime(question)}) ready left join arrived using (repo, change, package) where is_out is not null or not is_unmeasured`;
}

function readyInTime(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  return `select * from (${readyFrom(question.lead, 'out_package')}) whenever where ready_at >= ${from} and ready_at < ${to}${ofActor(question)}`;
}

/**
 * Returns the query for the numbers of changes that were `ready` and that `arrived`, by `label`. By package, a change counts once for each.
 * By stage, the numbers are those of all stages together. Reads `readied`.
 */
export function coverageQuery({ by }: Pick<ReportQuestion, 'by'>): string {
  const unit = `(${unitOf(by)})`;
  return `select label, count(distinct ${unit}) as ready, count(distinct ${unit}) filter (where has_arrived) as arrived from readied group by label`;
}

/**
 * Returns the query for how long each change that was ready in the last weeks took, or has waited up to the end of the report: `label`,
 * `value` (microseconds, DOUBLE), `has_arrived`.
 * By package there is one row for each lead time and, if it ends with a consumer, one for each consumer that still waits; otherwise one for
 * each change. Reads `readied` and `lead_time`.
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

/**
 * Returns the times by package if the question ends with a consumer. A change waits for a consumer that upgraded to the package before the
 * change was ready; earlier publications are unknown. If the question ends with the consumer's release, only consumers with releases count.
 */
function timesOfConsumers({ until, channels }: LeadTimeQuestion): string {
  const releasing = `semi join (from event where stage = 'publish' and ${isOn(channels)}) using (repo, package, consumer)`;
  return `
    select label, ready_at, ended_at from readied
    join (select repo, package, consumer, min(endedAt) as since from event where stage = 'upgrade-merge' and consumer is not null group by all) using (repo, package)
    ${until === 'released' ? releasing : ''}
    left join (select repo, change, package, consumer, ended_at from lead_time) using (repo, change, package, consumer)
    where ended_at is not null or ready_at >= since`;
}

/** Returns the query for the number of changes (`n`) that wait in any row of the report. Reads `readied`. */
export function waitingQuery({ by }: Pick<ReportQuestion, 'by'>): string {
  return `select count(distinct (repo, change)) as n from (select repo, change from readied group by label, ${unitOf(by)} having not bool_or(has_arrived))`;
}

/**
 * Returns the query for the times of the changes that were ready in the last weeks, each once, as `waitingTimesQuery` without `label`. Reads
 * the table `change_time`, which `changesQuery` fills. A package that waits for nothing may be ready after its change ended with the others.
 */
export function waitingWholeQuery(question: ReportQuestion): string {
  const { to } = timeOfFigures(question);
  return `
    select (least(coalesce(ended_at, ${to}), ${to}) - ready_at)::double as value, coalesce(ended_at < ${to}, false) as has_arrived
    from (
      select repo, change, min(ready.ready_at) as ready_at, max(ended_at) as ended_at
      from (${readyInTime(question)}) ready left join (select repo, change, ended_at from change_time) using (repo, change)
      where ended_at >= ready.ready_at or not is_unmeasured group by repo, change)`;
}

function unitOf(by: GroupBy): string {
  return by === 'repo' || by === 'team' ? 'repo, change' : 'repo, change, package';
}

/**
 * Returns the query for rows of lead times with `is_bound`, their end and with it their length is only a lower bound; and `is_publish_bound`,
 * the publication of the package is. An upgrade has a time of its own. `leadTimes`: a query.
 */
export function withBounds(leadTimes: string, { until, channels }: LeadTimeQuestion): string {
  const bounds = (keys: string, whose: string, name: string): string => `
    left join (
      select distinct ${keys}, true as ${name} from event
      where stage = 'publish' and outcome = 'success' and confidence = 'at-least' and ${isOn(channels)} and ${whose}
    ) of_${name} using (${keys})`;
  const isReleased = until === 'released';
  const end = { published: 'coalesce(publish_bound, false)', upgraded: 'false', released: 'coalesce(release_bound, false)' }[until];
  // The release of a row is the consumer's if it ends with that.
  return `
    select ended.*, ${end} as is_bound, coalesce(publish_bound, false) as is_publish_bound from (${leadTimes}) ended
    ${bounds(`repo, change, package${isReleased ? '' : ', release'}`, 'consumer is null', 'publish_bound')}
    ${isReleased ? bounds('repo, change, package, consumer, release', 'consumer is not null', 'release_bound') : ''}`;
}

/** Returns a condition on `withBounds`: of this stage, only a lower bound is known. Tests may have gone on where that cuts them off. */
export function isStageBound(column: string): string {
  if (column === 'post_merge_tests')
    return '(is_publish_bound and post_merge_tests is not null and publish + coalesce(publish_wait, 0) = 0)';
  return column.startsWith('publish') ? 'is_publish_bound' : column.startsWith('consumer_publish') ? 'is_bound' : 'false';
}

/** Returns a condition on `withBounds`: this stage is unknown, because it begins with a publication that may have been later. */
export function isStageUnknown(column: string): string {
  return column === 'upgrade_open' ? 'is_publish_bound' : 'false';
}

/**
 * Returns the query for the number of changes (`n`) that arrived in the last weeks, and of which it is unknown how long an upgrade took to
 * open. Reads `lead_time`, with all stages.
 */
export function unknownOpenQuery(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  const last = `select * from lead_time where ended_at >= ${from} and ended_at < ${to}${ofActor(question)}`;
  return `
    select count(distinct (repo, change)) as n from (${withBounds(last, question.lead)}) wanted
    where upgrade_open is not null and ${isStageUnknown('upgrade_open')}`;
}

/**
 * Returns the query for the number of changes (`n`) that arrived in the last weeks without a known approval: git has none, nor has a change
 * that nobody approved after its last push. Reads `lead_time`.
 */
export function unapprovedQuery(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  const last = `ended_at >= ${from} and ended_at < ${to}${ofActor(question)}`;
  return `
    select count(distinct (repo, change)) as n from lead_time semi join (
      select repo, change, package from event where stage = 'merge-wait' and consumer is null and confidence <> 'exact'
    ) using (repo, change, package) where ${last}`;
}

/**
 * Returns the query for the lead times of a report, each change once: that of its last published package. The columns are those of
 * `withReleases`, with `week` and `total` as in `groupedQuery`, and with `is_at_least`: the total is only a lower bound, as a publication of
 * any of its packages is; of this package, `is_bound` tells it of the end and `is_publish_bound` of the publication.
 */
export function changesQuery(question: ReportQuestion): string {
  const { lead } = question;
  const whole = withoutHeld(leadTimesFrom(lead), 'repo', lead);
  return `
    select *, bool_or(is_bound) over (partition by repo, change) as is_at_least, (ended_at - ${startOfWeek(0)}) // ${WEEK}::bigint as week, (ended_at - ready_at)::double as total
    from (
      ${withBounds(withReleases(`(${inTime(`(${whole})`, { ...question, by: 'repo' })})`, lead), lead)})
    qualify row_number() over (partition by repo, change order by ended_at desc, package, consumer) = 1`;
}

/**
 * Returns the query for the rows of a source that ended between `from` and the end of the report. By default, `from` includes the weeks
 * that belong to its first points.
 */
function inTime(source: string, question: ReportQuestion, from = question.since - (question.weeks - 1) * WEEK): string {
  const earliest = Math.max(from, question.earliest ?? 0);
  const { to } = timeOfFigures(question);
  return `select * from (${counted(source, question)}) counting where counts_at >= ${earliest} and counts_at < ${to}`;
}

/**
 * Returns the query for the rows of the wanted actor with `counts_at`, the moment when a lead time counts. By repository or team, that is the
 * publication of the change's last package that is the actor's.
 */
function counted(source: string, { by, actor }: Pick<ReportQuestion, 'by' | 'actor'>): string {
  const end = by === 'repo' || by === 'team' ? `max(ended_at) over (partition by ${labelOf(by)}, repo, change)` : 'ended_at';
  return `select ended.*, ${end} as counts_at from ${source} ended where true${ofActor({ actor })}`;
}

/** Returns the query for the lead times of changes of which all packages are published, or all those of one team. */
function withoutHeld(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
  return `
    with found as (${leadTimes}), held as (${heldQuery('found', by, lead)})
    select * from found where not exists (select 1 from held where held.label = ${labelOf(by, 'found')} and held.repo = found.repo and held.change = found.change)`;
}

/**
 * Returns the query for the changes, as `label`, `repo`, `change`, with a package that still waits, even if others are published. They have
 * not reached their end.
 * A package that was never published holds up no change: it waits for a first publication, which measures nothing. `leadTimes`: a table
 * with the lead times of all packages. Reads `momentTables` and `out_package`.
 */
function heldQuery(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
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
  /** Additional columns. */
  readonly more: readonly 'came_with'[];
  readonly dialect?: Dialect;
}

function grouped(leadTimes: string, question: ReportQuestion, columns: Columns): string {
  const wanted = withBounds(leadTimes, question.lead);
  return question.by === 'stage' ? byStage(wanted, question, columns) : byLabel(wanted, question.by, columns);
}

function byLabel(wanted: string, by: GroupBy, { more, dialect = DUCKDB }: Columns): string {
  if (by === 'package') {
    // Two versions of one package are two releases, also where others had one of these versions at the time of the other.
    const own = more.map((column) => `concat_ws(' ', ${column}, release) as ${column}`);
    return `select ${['package as label', ...own].join(', ')}, is_bound, ended_at, ended_at - ready_at as total from (${wanted}) wanted`;
  }
  // At equal end times, the last value by name counts, so that the order of rows does not matter.
  const whole = { came_with: dialect.pick('last', { value: 'came_with', order: ['ended_at'] }) };
  return `
    select ${[`${labelOf(by)} as label`, ...more.map((column) => `${whole[column]} as ${column}`)].join(', ')}, bool_or(is_bound) as is_bound, max(ended_at) as ended_at, max(ended_at) - min(ready_at) as total
    from (${wanted}) wanted group by ${labelOf(by)}, repo, change`;
}

/** Without `unpivot`, which PostgreSQL lacks. */
function byStage(wanted: string, { lead }: ReportQuestion, { more }: Columns): string {
  const rowsOf = (column: string): string => {
    const columns = [...more, `${isStageBound(column)} as is_bound`, 'ended_at', `${column} as total`].join(', ');
    // Of a publication without a length, only the end is known.
    const isKnown = `${column} ${column.endsWith('publish') ? '> 0' : 'is not null'} and not ${isStageUnknown(column)}`;
    return `select ${quote(column.replaceAll('_', '-'))} as label, ${columns} from wanted where ${isKnown}`;
  };
  const rows = stageColumnsOf(lead).map(({ column }) => rowsOf(column));
  return `with wanted as (${wanted}) ${rows.join(' union all ')}`;
}

/** The label of all rows if they are told apart only by stage. */
export const ALL_STAGES = 'all';

/** Returns the expression for the label of a row; changes without a team share one. */
function labelOf(by: GroupBy, table?: string): string {
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

/** Returns a condition to append, or nothing. */
export function ofActor({ actor }: Pick<ReportQuestion, 'actor'>): string {
  return actor === 'all' ? '' : ` and actor = ${quote(actor)}`;
}
