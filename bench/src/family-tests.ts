import { mapFew } from '@tributary/migrate-repo/run/map-few';
import { fareAlike, formatRun, lastOf, type TestBed, type TestedPackage, type TestRun, verdictOf } from './test-run.js';

// Two cores; tests that watch the clock fail where more run beside them.
const AT_ONCE = 2;

/**
 * Runs the tests of each package alone and where it is now, in the order of `names`. Tests that fare otherwise are run once more in both places,
 * with nothing beside them: those that watch the clock pass and fail as they like.
 */
export async function compareTests(names: readonly string[], alone: TestBed, migrated: TestBed): Promise<readonly TestedPackage[]> {
  const first = await mapFew(
    names,
    async (name): Promise<TestedPackage> => {
      const [before, after] = [await alone(name), await migrated(name)];
      console.error(`${name}: ${formatRun(before)} alone; ${formatRun(after)} in the monorepo`);
      return { name, alone: [before], migrated: [after] };
    },
    AT_ONCE,
  );
  const tested: TestedPackage[] = [];
  for (const one of first) tested.push(mayBeChance(one) ? await again(one, alone, migrated) : one);
  return tested;
}

/** What could not be installed or built will not be the next time. */
function mayBeChance({ alone: [before], migrated: [after] }: TestedPackage): boolean {
  const isTested = ({ result }: TestRun): boolean => result === 'passed' || result === 'failed' || result === 'timed out';
  return isTested(before) && isTested(after) && !fareAlike(before, after);
}

async function again({ name, ...first }: TestedPackage, alone: TestBed, migrated: TestBed): Promise<TestedPackage> {
  return { name, alone: [...first.alone, await alone(name)], migrated: [...first.migrated, await migrated(name)] };
}

/** How many fare how, then each that is not the same with the end of what it said. */
export function formatTested(tested: readonly TestedPackage[]): string {
  const verdicts = tested.map((one) => ({ one, verdict: verdictOf(one) }));
  const counted = [...new Set(verdicts.map(({ verdict }) => verdict))].map(
    (verdict) => `${verdicts.filter((other) => other.verdict === verdict).length} ${verdict}`,
  );
  const differences = verdicts
    .filter(({ verdict }) => verdict !== 'the same')
    .map(({ one, verdict }) => `${one.name}: ${verdict}\n${details(one)}`);
  return [`tests alone and in the monorepo: ${counted.join(', ')}`, ...differences].join('\n\n');
}

function details({ alone, migrated }: TestedPackage): string {
  return [describe('alone', alone), describe('in the monorepo', migrated)].join('\n');
}

/** All of its runs in words, and what the last one said if it is not good. */
function describe(where: string, runs: TestedPackage['alone']): string {
  const { result, output, remark } = lastOf(runs);
  const first = `  ${where}: ${runs.map(formatRun).join('; again: ')}${remark === undefined ? '' : ` (${remark})`}`;
  if (result === 'passed' || result === 'no tests') return first;
  return [first, ...output.split('\n').map((line) => `    | ${line}`)].join('\n');
}

/** How many packages passed alone and fare worse now. */
export function countLost(tested: readonly TestedPackage[]): number {
  return tested.filter((one) => verdictOf(one) === 'lost').length;
}
