import { stageColumnsOf } from '../engine/lead-times.js';
import { changesQuery, horizonOf, isStageBound, isStageUnknown, waitingWholeQuery, weeksOf } from '../engine/report-queries.js';
import type { Micros } from '../model/event.js';
import { judge } from '../report/comparison.js';
import type { ReportDetails, SingleChange, SlowChange, TrendPoint } from '../report/details.js';
import { figuresOfReleases } from '../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { questionBefore, type ReportQuestion, startOfWeek, timeOfFigures, weekOf } from '../report/question.js';
import { withWaitingOf } from '../report/with-waiting.js';
import { differenceOf } from '../statistics/difference.js';
import { type ClusteredValue, releasesOfWeeks } from '../statistics/releases.js';
import { countWithin } from '../statistics/windows.js';
import { type Database, type DatabaseRow, textIn } from './database.js';
import { makeMomentTables } from './moment-tables.js';

const SLOWEST = 10;

/** Reads the details for a page from the table `event`. `there`: `readReport` left its tables, with all stages. */
export async function readDetails(database: Database, question: ReportQuestion, tables: 'make' | 'there' = 'make'): Promise<ReportDetails> {
  if (tables === 'make') await makeMomentTables(database, question, { moments: 'stages', horizon: horizonOf(question) });
  await database.run(`create or replace temp table change_time as ${changesQuery(question)}`);
  const trend = await readTrend(database, question);
  return {
    trend,
    previous: await readPrevious(database, question),
    repos: await readRepos(database, question),
    withWaiting: withWaitingOf(
      (await database.rows(waitingWholeQuery(question))).map((row) => ({
        value: Number(row['value']),
        hasArrived: row['has_arrived'] === true,
      })),
    ),
    single: await readSingle(database, trend),
    ...(await readWaterfall(database, question)),
    slowest: await readSlowest(database, question),
  };
}

async function readTrend(database: Database, question: ReportQuestion): Promise<readonly TrendPoint[]> {
  const { first, count } = weeksOf(question);
  const numbered =
    'select came_with, row_number() over (order by came_with) - 1 as number from (select distinct came_with from change_time)';
  const [week = NONE, value = NONE, release = NONE] = await database.columns(`
    select (week - ${first})::integer, total, number::integer from change_time join (${numbered}) using (came_with) order by total`);
  const bounds = await database.rows(`select week - ${first} as week, count(*) as n from change_time where is_at_least group by all`);
  const boundWeeks = bounds.map((row) => ({ week: Number(row['week']), n: Number(row['n']) }));
  return Array.from({ length: count - question.weeks + 1 }, (_, at) => {
    const time = { from: at, to: at + question.weeks };
    const releases = releasesOfWeeks({ week, value, release }, time);
    const atLeast = countWithin(boundWeeks, time);
    const endsAt = startOfWeek(first + time.to);
    return { endsAt, n: releases.values.length, atLeast, ...figuresOfReleases(releases, atLeast) };
  });
}

const NONE = new Float64Array();

/** Returns the figures of the weeks before that the last ones differ from. A report with `earliest` counts nothing before. */
async function readPrevious(database: Database, question: ReportQuestion): Promise<ReportDetails['previous']> {
  if (question.earliest !== undefined) return {};
  const { from } = timeOfFigures(question);
  const lastRows = await database.rows(`select total, came_with, is_at_least from change_time where ended_at >= ${from}`);
  const rowsBefore = await database.rows(`select total, came_with, is_at_least from (${changesQuery(questionBefore(question))})`);
  const atLeast = [...lastRows, ...rowsBefore].filter((row) => row['is_at_least'] === true).length;
  const [now = [], before = []] = [lastRows, rowsBefore].map((rows) =>
    rows.map(({ total, came_with }): ClusteredValue => ({ value: Number(total), cluster: String(came_with) })),
  );
  const claimed = (share: number, least: number): number | undefined => {
    const difference = differenceOf(before, now, share);
    const verdict = judge(difference, { n: Math.min(before.length, now.length), least, atLeast });
    return verdict === 'shorter' || verdict === 'longer' ? difference?.before : undefined;
  };
  const [p50, p90] = [claimed(0.5, LEAST_FOR_P50), claimed(0.9, LEAST_FOR_P90)];
  return { ...(p50 === undefined ? {} : { p50 }), ...(p90 === undefined ? {} : { p90 }) };
}

async function readRepos(database: Database, question: ReportQuestion): Promise<readonly string[]> {
  const rows = await database.rows(`select distinct repo from change_time where ${isLast(question)} order by repo`);
  return rows.map(({ repo }) => String(repo));
}

/** Reads the changes of weeks with too few for percentiles, which would tell more. */
async function readSingle(database: Database, trend: readonly TrendPoint[]): Promise<readonly SingleChange[]> {
  const weeks = trend.filter(({ n }) => n > 0 && n < LEAST_FOR_P50).map(({ endsAt }) => weekOf(endsAt) - 1);
  if (weeks.length === 0) return [];
  const rows = await database.rows(
    `select ended_at, total, is_at_least from change_time where week in (${weeks.join(', ')}) order by ended_at, total`,
  );
  return rows.map((row) => ({ endedAt: Number(row['ended_at']) as Micros, ...totalIn(row) }));
}

/**
 * Returns the mean of every stage over the fifth of the changes around the median. Means add up; percentiles do not. None with too few
 * changes, or if a stage of some of them is unknown.
 */
async function readWaterfall(database: Database, question: ReportQuestion): Promise<Pick<ReportDetails, 'waterfall' | 'unknownOpen'>> {
  const columns = stageColumnsOf(question.lead);
  const means = columns
    .map(
      ({ column }) =>
        `avg(coalesce(${column}, 0))::double as ${column}, count(${column}) as known_${column}, count(*) filter (where ${isStageBound(column)}) as bounds_${column}, count(*) filter (where ${isStageUnknown(column)}) as unknown_${column}`,
    )
    .join(', ');
  const [row] = await database.rows(`
    with last as (select * from change_time where ${isLast(question)}), middle as (select quantile_cont(total, [0.4, 0.6]) as bounds from last)
    select count(*) as n, (select count(*) from last) as of, ${means} from last, middle where total between bounds[1] and bounds[2]`);
  const n = Number(row?.['n'] ?? 0);
  if (row === undefined || n === 0 || Number(row['of']) < LEAST_FOR_P50) return { waterfall: undefined, unknownOpen: 0 };
  const unknownOpen = Math.max(...columns.map(({ column }) => Number(row[`unknown_${column}`])));
  if (unknownOpen > 0) return { waterfall: undefined, unknownOpen };
  const known = columns.filter(({ column }) => Number(row[`known_${column}`]) > 0);
  const stages = known.map(({ stage, whose, column }) => ({
    stage,
    whose,
    length: Number(row[column]),
    atLeast: Number(row[`bounds_${column}`]),
  }));
  return { waterfall: { n, stages }, unknownOpen };
}

async function readSlowest(database: Database, question: ReportQuestion): Promise<readonly SlowChange[]> {
  const rows = await database.rows(`from change_time where ${isLast(question)} order by total desc, repo, change limit ${SLOWEST}`);
  return rows.map(changeIn);
}

function totalIn(row: DatabaseRow): Pick<SlowChange, 'total' | 'atLeast'> {
  return { total: Number(row['total']), atLeast: row['is_at_least'] === true ? 1 : 0 };
}

/** Converts a row of `change_time`, or of a query with its columns. */
export function changeIn(row: DatabaseRow): SlowChange {
  return {
    repo: String(row['repo']),
    change: String(row['change']),
    package: String(row['package']),
    url: textIn(row, 'url'),
    release: textIn(row, 'release'),
    endedAt: Number(row['ended_at']) as Micros,
    ...totalIn(row),
  };
}

/** Returns a condition: the change ended in the last weeks. */
function isLast(question: ReportQuestion): string {
  return `ended_at >= ${timeOfFigures(question).from}`;
}
