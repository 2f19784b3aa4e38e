import { leadTimesQuery, stageColumnsOf } from '../engine/lead-times.js';
import { quote } from '../engine/sql.js';
import { type Comparison, type ComparisonQuestion, judge, type Side, type SideFigures } from '../report/comparison.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { differenceOf } from '../statistics/difference.js';
import type { ClusteredValue } from '../statistics/interval.js';
import type { Database } from './database.js';

const DRAWS = 10_000;
const MONTH = 30 * 24 * 3600e6;

/** What the table `event` says to a comparison. */
export async function readComparison(database: Database, question: ComparisonQuestion): Promise<Comparison> {
  const before = await readSide(database, question.before);
  const after = await readSide(database, question.after);
  const n = Math.min(before.values.length, after.values.length);
  const compare = (share: number, least: number): Comparison['p50'] => {
    const difference = differenceOf(before.values, after.values, { share, draws: DRAWS, method: question.method });
    return { difference, verdict: judge(difference, { n, least }) };
  };
  return { question, before: before.figures, after: after.figures, p50: compare(0.5, LEAST_FOR_P50), p90: compare(0.9, LEAST_FOR_P90) };
}

interface SideData {
  readonly values: readonly ClusteredValue[];
  readonly figures: SideFigures;
}

async function readSide(database: Database, side: Side): Promise<SideData> {
  const { since, until, lead } = side;
  await database.run(`
    create or replace temp table side as select *, (ended_at - ready_at)::double as total
    from (${leadTimesQuery(lead)}) where ended_at >= ${since} and ended_at < ${until}${ofSide(side)}`);
  const columns = stageColumnsOf(lead);
  const [means = {}] = await database.rows(
    `select ${columns.map(({ column }) => `avg(coalesce(${column}, 0))::double as ${column}`).join(', ')} from side`,
  );
  const [upgrades] = await database.rows(`
    select count(distinct (repo, consumer, endedAt)) as merged from event
    where stage = 'upgrade-merge' and outcome = 'success' and endedAt >= ${since} and endedAt < ${until}${ofSide(side)}`);
  const rows = await database.rows('select total, release from side');
  const values = rows.map(({ total, release }) => ({ value: Number(total), cluster: String(release) }));
  return {
    values,
    figures: {
      ...{ n: values.length, releases: new Set(values.map(({ cluster }) => cluster)).size },
      upgradesPerMonth: (Number(upgrades?.['merged'] ?? 0) * MONTH) / (until - since),
      stages: columns.flatMap(({ column, stage, whose }) =>
        Number(means[column]) > 0 ? [{ stage, whose, mean: Number(means[column]) }] : [],
      ),
    },
  };
}

function ofSide({ repos, packages }: Side): string {
  const among = (column: string, names: readonly string[]): string =>
    names.length === 0 ? '' : ` and ${column} in (${names.map(quote).join(', ')})`;
  return `${among('repo', repos)}${among('package', packages)}`;
}
