import { lastLines, type ScriptResult } from './run-script.js';
import { parseCounts, type TestCounts } from './test-counts.js';

/** What came of the tests of a package. */
export interface TestRun {
  readonly result: 'passed' | 'failed' | 'timed out' | 'not installed' | 'not built' | 'no tests';
  /** `undefined` where the runner does not tell. */
  readonly counts: TestCounts | undefined;
  /** The end of what was said, for people. */
  readonly output: string;
  /** What is worth knowing about the way it came to run. */
  readonly remark?: string | undefined;
}

/** A package that has none. */
export const NO_TESTS: TestRun = { result: 'no tests', counts: undefined, output: '' };

/** Runs the tests of a package, by its name. */
export type TestBed = (name: string) => Promise<TestRun>;

/** The same package in both places; the last of each is the one that counts. */
export interface TestedPackage {
  readonly name: string;
  readonly alone: readonly [TestRun, ...TestRun[]];
  readonly migrated: readonly [TestRun, ...TestRun[]];
}

/** `unsteady`: it passes here and fails there, and not always worse in the same place. */
export type Verdict = 'the same' | 'fails alone too' | 'lost' | 'gained' | 'unsteady';

/** An outcome of a script `test`, or of what had to come before it. */
export function testRun({ ended, output }: ScriptResult, before?: 'not installed' | 'not built'): TestRun {
  const bad = before ?? (ended === 'too late' ? 'timed out' : 'failed');
  const result = ended === 'well' ? 'passed' : bad;
  return { result, counts: before === undefined ? parseCounts(output) : undefined, output: lastLines(output) };
}

export function verdictOf({ alone, migrated }: TestedPackage): Verdict {
  const pairs = alone.flatMap((before) => migrated.map((after) => ({ before, after })));
  if (pairs.every(({ before, after }) => fareAlike(before, after))) return isGood(lastOf(alone)) ? 'the same' : 'fails alone too';
  if (pairs.every(({ before, after }) => isWorse(before, after))) return 'lost';
  if (pairs.every(({ before, after }) => isWorse(after, before))) return 'gained';
  return [...alone, ...migrated].some(isGood) ? 'unsteady' : 'fails alone too';
}

/** The run that counts. */
export function lastOf(runs: TestedPackage['alone']): TestRun {
  return runs.at(-1) ?? runs[0];
}

/** Whether two runs ended alike, with as many tests. */
export function fareAlike(before: TestRun, after: TestRun): boolean {
  return before.result === after.result && before.counts?.passed === after.counts?.passed && before.counts?.failed === after.counts?.failed;
}

/** Whether `after` is worse: it fails where the other does not, or fewer pass, or more fail. One that tells nothing has not come far. */
function isWorse(before: TestRun, after: TestRun): boolean {
  if (isGood(before) !== isGood(after)) return isGood(before);
  const [passedBefore, passedAfter] = [before.counts?.passed ?? -1, after.counts?.passed ?? -1];
  return passedAfter === passedBefore ? (after.counts?.failed ?? 0) > (before.counts?.failed ?? 0) : passedAfter < passedBefore;
}

function isGood({ result }: TestRun): boolean {
  return result === 'passed' || result === 'no tests';
}

/** `57`, `50 + 7 failed`, `failed`, `not installed`. */
export function formatRun({ result, counts }: TestRun): string {
  if (counts === undefined) return result;
  const failed = counts.failed === 0 ? '' : ` + ${counts.failed} failed`;
  // Something else in the script fails, such as a linter.
  return `${counts.passed}${failed}${result === 'failed' && counts.failed === 0 ? ', then failed' : result === 'timed out' ? ', then timed out' : ''}`;
}
