import type { Moments } from '../engine/lead-times.js';
import {
  ALL_STAGES,
  coverageQuery,
  groupedQuery,
  horizonOf,
  lastQuery,
  momentsOf,
  ofActor,
  readiedQuery,
  unapprovedQuery,
  unknownOpenQuery,
  waitingQuery,
  waitingTimesQuery,
  weeksOf,
} from '../engine/report-queries.js';
import type { Micros } from '../model/event.js';
import { type FailRule, judgeRule, type RowValues, type RuleVerdict } from '../report/fail-rule.js';
import { figuresOf } from '../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { questionBefore, type ReportQuestion, startOfWeek } from '../report/question.js';
import type { Elsewhere, Report, ReportPoint, ReportRow } from '../report/report.js';
import { withWaitingOf } from '../report/with-waiting.js';
import type { ClusteredValue } from '../statistics/releases.js';
import type { WaitingTime } from '../statistics/survival.js';
import { countWithin, type Point, trailingPoints, type WeekCount } from '../statistics/windows.js';
import { type Database, microsIn } from './database.js';
import { makeMomentTables } from './moment-tables.js';

const SHARES = [0.5, 0.9] as const;

/** Computes a report from the table `event`. `moments`: those in the tables that it leaves, for callers that need more. */
export async function readReport(database: Database, question: ReportQuestion, moments = momentsOf(question)): Promise<Report> {
  await makeMomentTables(database, question, { moments, horizon: horizonOf(question) });
  const points = await readTrailing(database, question);
  const coverage = await readCoverage(database, question);
  const values = await readLast(database, question);
  const times = await readWaitingTimes(database, question);
  const rows = [...points].map(([group, own]) =>
    describeGroup({
      group,
      ...(values.get(group) ?? NO_VALUES),
      coverage: coverage.get(question.by === 'stage' ? ALL_STAGES : group),
      times: times.get(group) ?? [],
      points: own,
    }),
  );
  const waiting = await readNumber(database, waitingQuery(question));
  const unapproved = question.lead.ready === 'approved' ? await readNumber(database, unapprovedQuery(question)) : 0;
  const isByStage = question.by === 'stage' && question.lead.until !== 'published';
  const unknownOpen = isByStage ? await readNumber(database, unknownOpenQuery(question)) : 0;
  const elsewhere = rows.every(({ n }) => n === 0) ? await readElsewhere(database, question, moments) : undefined;
  return { question, rows: rows.sort(slowestFirst), left: 0, waiting, unapproved, unknownOpen, elsewhere };
}

/** Returns the column `n` of a query with one row. */
async function readNumber(database: Database, sql: string): Promise<number> {
  return Number((await database.rows(sql))[0]?.['n'] ?? 0);
}

async function readElsewhere(database: Database, question: ReportQuestion, moments: Moments): Promise<Elsewhere> {
  await makeMomentTables(database, question, { moments, horizon: 0 as Micros });
  const arrived = `select repo, change, max(ended_at) as ended_at from lead_time where true${ofActor(question)} group by repo, change`;
  const [row = {}] = await database.rows(`select count(*) as n, min(ended_at) as first, max(ended_at) as last from (${arrived})`);
  const channels = await database.rows(`
    select channel, count(distinct (repo, package, release)) as n from event
    where stage = 'publish' and outcome in ('success', 'unmeasured') and channel is not null group by channel order by n desc, channel`);
  return {
    n: Number(row['n'] ?? 0),
    first: microsIn(row, 'first'),
    last: microsIn(row, 'last'),
    channels: channels.map(({ channel, n }) => ({ channel: String(channel), n: Number(n) })),
  };
}

/** Returns the points of every group, in the order of group names. Reads `lead_time`. */
async function readTrailing(database: Database, question: ReportQuestion): Promise<ReadonlyMap<string, readonly ReportPoint[]>> {
  await database.run(
    `create or replace temp table timed as select label, week, total::double as total, is_bound from (${groupedQuery(question)})`,
  );
  const labels = (await database.rows('select distinct label from timed order by label')).map(({ label }) => String(label));
  const { first, count } = weeksOf(question);
  const [group = NONE, week = NONE, value = NONE] = await database.columns(`
    select label_number::integer, (week - ${first})::integer, total from timed
    join (select label, row_number() over (order by label) - 1 as label_number from (select distinct label from timed)) using (label)`);
  const options = { groups: labels.length, weeks: count, length: question.weeks, percentiles: SHARES };
  const points = trailingPoints({ group, week, value }, options);
  const bounds = await readBoundWeeks(database, first);
  const describe = (label: string, all: readonly Point[]): readonly ReportPoint[] =>
    all.slice(question.weeks - 1).map((point) => describePoint(point, bounds.get(label) ?? [], question));
  return new Map(labels.map((label, at) => [label, describe(label, points[at] ?? [])]));
}

/** Returns in which weeks, numbered from `first`, each group has how many lower bounds. Reads `timed`. */
async function readBoundWeeks(database: Database, first: number): Promise<ReadonlyMap<string, readonly WeekCount[]>> {
  const weeks = new Map<string, WeekCount[]>();
  for (const { label, week, n } of await database.rows(
    `select label, week - ${first} as week, count(*) as n from timed where is_bound group by all`,
  )) {
    const own = weeks.get(String(label)) ?? [];
    own.push({ week: Number(week), n: Number(n) });
    weeks.set(String(label), own);
  }
  return weeks;
}

const NONE = new Float64Array();

interface Coverage {
  readonly ready: number;
  readonly arrived: number;
}

export async function readCoverage(database: Database, question: ReportQuestion): Promise<ReadonlyMap<string, Coverage>> {
  await database.run(`create or replace temp table readied as ${readiedQuery(question)}`);
  const rows = await database.rows(coverageQuery(question));
  return new Map(rows.map(({ label, ready, arrived }) => [String(label), { ready: Number(ready), arrived: Number(arrived) }]));
}

const NO_VALUES: RowValues = { values: [], atLeast: 0 };

/** Returns the values of the last weeks by group. Reads `lead_time`. */
export async function readLast(database: Database, question: ReportQuestion): Promise<ReadonlyMap<string, RowValues>> {
  const rows = await database.rows(`select label, total, came_with, is_bound from (${lastQuery(question)})`);
  const groups = new Map<string, { readonly values: (ClusteredValue & { readonly isBound: boolean })[]; atLeast: number }>();
  for (const { label, total, came_with, is_bound } of rows) {
    const group = groups.get(String(label)) ?? { values: [], atLeast: 0 };
    const isBound = is_bound === true;
    group.values.push({ value: Number(total), cluster: String(came_with), isBound });
    group.atLeast += isBound ? 1 : 0;
    groups.set(String(label), group);
  }
  return groups;
}

/**
 * Returns the times of the changes that were ready in the last weeks, by group. Empty by stage, because the stage in which a change waits
 * is unknown. Reads `readied`.
 */
async function readWaitingTimes(database: Database, question: ReportQuestion): Promise<ReadonlyMap<string, readonly WaitingTime[]>> {
  const groups = new Map<string, WaitingTime[]>();
  if (question.by === 'stage') return groups;
  for (const { label, value, has_arrived } of await database.rows(waitingTimesQuery(question))) {
    const times = groups.get(String(label)) ?? [];
    times.push({ value: Number(value), hasArrived: has_arrived === true });
    groups.set(String(label), times);
  }
  return groups;
}

interface Group extends RowValues {
  readonly group: string;
  readonly coverage: Coverage | undefined;
  readonly times: readonly WaitingTime[];
  readonly points: readonly ReportPoint[];
}

function describeGroup({ group, values, coverage, times, points, atLeast }: Group): ReportRow {
  const n = values.length;
  const few = n < LEAST_FOR_P50 ? [...values].sort((a, b) => a.value - b.value) : [];
  return {
    group,
    n,
    releases: new Set(values.map(({ cluster }) => cluster)).size,
    atLeast,
    coverage: coverage === undefined || coverage.ready === 0 ? undefined : coverage.arrived / coverage.ready,
    withWaiting: withWaitingOf(times),
    ...figuresOf(values, atLeast),
    values: few.map(({ value }) => value),
    bounds: few.map(({ isBound }) => isBound === true),
    points,
  };
}

function describePoint({ week, n, percentiles: [p50, p90] }: Point, bounds: readonly WeekCount[], question: ReportQuestion): ReportPoint {
  const endsAt = startOfWeek(weeksOf(question).first + week + 1);
  const atLeast = countWithin(bounds, { from: week - question.weeks + 1, to: week + 1 });
  return { endsAt, n, atLeast, p50: n < LEAST_FOR_P50 ? undefined : p50, p90: n < LEAST_FOR_P90 ? undefined : p90 };
}

function slowestFirst(a: ReportRow, b: ReportRow): number {
  return (b.p90?.value ?? -1) - (a.p90?.value ?? -1) || b.n - a.n || (a.group < b.group ? -1 : 1);
}

/** Returns the verdicts of rules on the rows of a report. Call it right after `readReport`, because it reads its table `lead_time`. */
export async function readVerdicts(database: Database, report: Report, rules: readonly FailRule[]): Promise<readonly RuleVerdict[]> {
  if (rules.length === 0) return [];
  const now = await readLast(database, report.question);
  const before = rules.some(({ kind }) => kind === 'growth') ? await readLast(database, questionBefore(report.question)) : new Map();
  return rules.flatMap((rule) =>
    report.rows.flatMap(
      (row) => judgeRule(rule, row, { now: now.get(row.group) ?? NO_VALUES, before: before.get(row.group) ?? NO_VALUES }) ?? [],
    ),
  );
}
