import { withBounds } from '../engine/report-queries.js';
import { type ComparedPercentile, type ComparisonQuestion, judge, judgeUpgrades, type LeadTimeComparison } from '../report/comparison.js';
import type { ComparisonDetails, SideChange } from '../report/comparison-details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { predict, scenariosOf } from '../report/predict.js';
import type { SideQuestion, StagedChange } from '../report/side.js';
import { differenceOf } from '../statistics/difference.js';
import { chanceOfDifference } from '../statistics/rates.js';
import type { ClusteredValue } from '../statistics/releases.js';
import type { Database } from './database.js';
import { changeIn } from './read-details.js';
import { arrivedQuery, readSide } from './read-side.js';

/** Computes a comparison from the table `event`. */
export async function readComparison(database: Database, question: ComparisonQuestion): Promise<LeadTimeComparison> {
  const before = await readSide(database, question.before);
  const after = await readSide(database, question.after);
  const [old, now] = [before, after].map(({ changes }) => changes.map(totalOf));
  const n = Math.min(before.figures.n, after.figures.n);
  const atLeast = before.figures.atLeast + after.figures.atLeast;
  const compare = (share: number, least: number): ComparedPercentile => {
    const difference = differenceOf(old ?? [], now ?? [], share);
    const verdict = judge(difference, { n, least, atLeast });
    const isUnknown = difference !== undefined && atLeast > 0;
    return { difference: isUnknown ? { ...difference, change: undefined, interval: undefined } : difference, verdict };
  };
  const [upgradesBefore, upgradesAfter] = [before.figures.upgrades, after.figures.upgrades];
  const chance = chanceOfDifference(
    { n: upgradesBefore.n, time: question.before.until - question.before.since },
    { n: upgradesAfter.n, time: question.after.until - question.after.since },
  );
  const isMove = scenariosOf(question.before.lead.until).length > 0 && question.after.lead.until === 'published';
  return {
    question,
    before: before.figures,
    after: after.figures,
    p50: compare(0.5, LEAST_FOR_P50),
    p90: compare(0.9, LEAST_FOR_P90),
    upgrades: judgeUpgrades(upgradesBefore, upgradesAfter, chance),
    predicted: isMove ? predict(before, { side: question.before, without: [] }) : undefined,
  };
}

function totalOf({ stages, cluster }: StagedChange): ClusteredValue {
  return { value: stages.reduce((sum, length) => sum + length, 0), cluster };
}

/** Reads the details for the page of a comparison from the table `event`. */
export async function readComparisonDetails(
  database: Database,
  { before, after }: ComparisonQuestion,
): Promise<Pick<ComparisonDetails, 'before' | 'after'>> {
  return { before: await readChanges(database, before), after: await readChanges(database, after) };
}

async function readChanges(database: Database, side: SideQuestion): Promise<readonly SideChange[]> {
  const found = withBounds(arrivedQuery(side), side.lead);
  const rows = await database.rows(
    `select *, ended_at - ready_at as total, is_bound as is_at_least from (${found}) order by ended_at, repo, change, package, consumer`,
  );
  return rows.map(changeIn);
}
