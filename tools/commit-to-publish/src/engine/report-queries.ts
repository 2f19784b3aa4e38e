import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { GroupBy, ReportQuestion } from '../report/question.js';
import { startOfWeek, timeOfFigures, WEEK, weekOf } from '../report/question.js';
import { endsQuery, isOn, isOut, isUnmeasured, leadTimesQuery, readyQuery, stageColumnsOf } from './lead-times.js';
import { withReleases } from './releases.js';
import { quote } from './sql.js';

/**
 * The lead times that a report is about, whenever they ended, for a table `lead_time` that the other queries read: found once, for it takes most of the time. For a repository and a team without those of changes that
 * have not come out whole.
 */
export function reportLeadTimesQuery({ by, actor, lead }: Pick<ReportQuestion, 'by' | 'actor' | 'lead'>): string {
  const leadTimes = by === 'stage' || actor !== 'all' ? leadTimesQuery(lead) : endsQuery(lead);
  return by === 'repo' || by === 'team' ? withoutHeld(leadTimes, by, lead) : leadTimes;
}

/**
 * The lead times of a report as rows of `label`, `week` (as `weekOf`) and `total` (microseconds, DOUBLE): one for each change and package, or for a repository and a team one for each change,
 * which ends when the last of its packages is out. By stage one for each stage that is known. With the weeks before the report that its first points take together. `leadTimes`: where the rows of `reportLeadTimesQuery` are.
 */
export function groupedQuery(question: ReportQuestion, leadTimes = 'lead_time'): string {
  return weekly(grouped(inTime(leadTimes, question), question, { more: [] }));
}

/** The same of the last weeks alone, with `came_with` as `withReleases` has it: of a change of several packages that of the last. To find it takes long. Reads `lead_time`. */
export function lastWithReleasesQuery(question: ReportQuestion): string {
  const last = `(${inTime('lead_time', question, timeOfFigures(question).from)})`;
  return weekly(grouped(withReleases(last, question.lead), question, { more: ['came_with'] }));
}

function weekly(rows: string): string {
  return `select * exclude (total), (ended_at - ${startOfWeek(0)}) // ${WEEK}::bigint as week, total::double as total from (${rows})`;
}

/** What was ready in the last weeks of a report and can be measured, for a table `readied`: `label`, `repo`, `change`, `package`, `ready_at`, and `has_arrived`. Reads `lead_time`. */
export function readiedQuery(question: ReportQuestion): string {
  const { by } = question;
  return `
    with arrived as (select distinct repo, change, package from (${counted('lead_time', by)}) where counts_at < ${timeOfFigures(question).to})
    select ${labelOf(by)} as label, repo, change, package, ready_at, arrived.repo is not null as has_arrived
    from (${readyInTime(question)}) ready left join arrived using (repo, change, package) where has_arrived or not is_unmeasured`;
}

function readyInTime(question: ReportQuestion): string {
  const { from, to } = timeOfFigures(question);
  return `select * from (${readyQuery(question.lead)}) where ready_at >= ${from} and ready_at < ${to}${ofActor(question)}`;
}

/** How many changes were ready, and how many of them have arrived, by `label`; by package a change counts once for each. By stage it is that of all stages together. Reads `readied`. */
export function coverageQuery({ by }: Pick<ReportQuestion, 'by'>): string {
  const unit = `(${unitOf(by)})`;
  return `select label, count(distinct ${unit}) as ready, count(distinct ${unit}) filter (has_arrived) as arrived from readied group by label`;
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
  return `select count(distinct (repo, change)) as n from (${readyInTime(question)}) anti join change_time using (repo, change) where not is_unmeasured`;
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
  const whole = withoutHeld(leadTimesQuery(lead), 'repo', lead);
  return `
    select *, (ended_at - ${startOfWeek(0)}) // ${WEEK}::bigint as week, (ended_at - ready_at)::double as total
    from (${withReleases(`(${inTime(`(${whole})`, { ...question, by: 'repo' })})`, lead)})
    qualify row_number() over (partition by repo, change order by ended_at desc, package, consumer) = 1`;
}

/** Those rows of a source that ended in the time of a report, or from another moment on; without one, with the weeks that its first points take together. */
export function inTime(source: string, question: ReportQuestion, from = question.since - (question.weeks - 1) * WEEK): string {
  const earliest = Math.max(from, question.earliest ?? 0);
  const { to } = timeOfFigures(question);
  return `select * exclude (counts_at) from (${counted(source, question.by)}) where counts_at >= ${earliest} and counts_at < ${to}${ofActor(question)}`;
}

/** With `counts_at`, when a lead time counts: for a repository and a team a change is out with the last of its packages. */
function counted(source: string, by: GroupBy): string {
  const end = by === 'repo' || by === 'team' ? `max(ended_at) over (partition by ${labelOf(by)}, repo, change)` : 'ended_at';
  return `select *, ${end} as counts_at from ${source}`;
}

/** The rows of a query for lead times whose changes are out with all their packages, or with all that belong to one team. */
function withoutHeld(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
  const labelled = `select *, ${labelOf(by)} as label from found`;
  return `with found as materialized (${leadTimes}) select * exclude (label) from (${labelled}) anti join (${heldQuery('found', by, lead)}) using (label, repo, change)`;
}

/**
 * The changes, as `label`, `repo`, `change`, of which a package waits though others may be out: they have not come to their end. A package that was never published holds up none: what it waits for is a first
 * publication, and nothing can be measured to that. `leadTimes`: where the lead times of all packages are.
 */
export function heldQuery(leadTimes: string, by: 'repo' | 'team', lead: LeadTimeQuestion): string {
  const consumed = lead.until === 'published' ? '' : 'semi join (from event where consumer is not null) using (repo, package)';
  return `
    select distinct ${labelOf(by)} as label, repo, change from (from event where stage = 'merge-wait' and consumer is null)
    semi join (from event where ${isOut(lead.channels)}) using (repo, package) ${consumed}
    anti join ${leadTimes} using (repo, change, package) anti join (from event where ${isUnmeasured(lead)}) using (repo, change, package)`;
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
}

function grouped(wanted: string, question: ReportQuestion, columns: Columns): string {
  return question.by === 'stage' ? byStage(wanted, question, columns) : byLabel(wanted, question.by, columns);
}

function byLabel(wanted: string, by: GroupBy, { more }: Columns): string {
  if (by === 'package')
    return `select ${['package as label', ...more].join(', ')}, ended_at, ended_at - ready_at as total from (${wanted})`;
  // Of several that end at the same moment the last by name, whatever the order in which they are read.
  const ofLast = more.map((column) => `max({ended: ended_at, value: ${column}}).value as ${column}`);
  return `
    select ${[`${labelOf(by)} as label`, ...ofLast].join(', ')}, max(ended_at) as ended_at, max(ended_at) - min(ready_at) as total
    from (${wanted}) group by label, repo, change`;
}

function byStage(wanted: string, { lead }: ReportQuestion, { more }: Columns): string {
  const columns = stageColumnsOf(lead)
    .map(({ column }) => column)
    .join(', ');
  const kept = [...more, 'ended_at'].join(', ');
  return `select replace(stage, '_', '-') as label, ${kept}, total from (select ${kept}, ${columns} from (${wanted})) unpivot (total for stage in (${columns}))`;
}

/** What every row is called where only stages are told apart. */
export const ALL_STAGES = 'all';

/** What a row of a report is called, as an expression; who belongs to no team stands together. */
export function labelOf(by: GroupBy): string {
  switch (by) {
    case 'package':
      return 'package';
    case 'repo':
      return 'repo';
    case 'team':
      return "coalesce(team, '(no team)')";
    case 'stage':
      return quote(ALL_STAGES);
  }
}

/** The end of a condition. */
export function ofActor({ actor }: ReportQuestion): string {
  return actor === 'all' ? '' : ` and actor = ${quote(actor)}`;
}
