import { stripVTControlCharacters } from 'node:util';
import { redactUrls } from '@tributary/model/repo-url';
import type { ContainedResult } from '@tributary/process/contained';
import { parseCounts, type TestCounts } from './counts.js';
import { type Coverage, lostCoverage, parseCoverage } from './coverage.js';
import { isEvidence } from './evidence.js';

/** How far tests are compared; each level includes the ones before it. */
export const TEST_LEVELS = ['install', 'build', 'test'] as const;
export type TestLevel = (typeof TEST_LEVELS)[number];

export function isLevel(text: string): text is TestLevel {
  return TEST_LEVELS.some((level) => level === text);
}

/** What came of the tests of a package on one side, or of what had to come before them. */
export interface TestRun {
  /** `passed` up to the level that was asked for; `no tests`: it has no script `test`. */
  readonly result: 'passed' | 'failed' | 'timed out' | 'too much output' | 'not installed' | 'not built' | 'no tests';
  /** `undefined` where the runner does not tell, and where no tests were run. */
  readonly counts: TestCounts | undefined;
  readonly coverage: Coverage | undefined;
  /** The end of what was said, and lines from before it that are evidence. */
  readonly output: string;
  /** What is worth knowing about the way it came to run; sentences. */
  readonly remarks: readonly string[];
}

/** The runs of one side; the last one is the one that counts. */
export type TestRuns = readonly [TestRun, ...TestRun[]];

/** The same package on both sides. */
export interface ComparedRuns {
  readonly before: TestRuns;
  readonly after: TestRuns;
}

/** `flaky`: it the same side passes and fails, or its numbers change. */
export type TestOutcome = 'same' | 'newly failing' | 'newly passing' | 'failed before' | 'flaky';

/** The outcome of a script. `step`: what it stands for; only a failure of the tests themselves is told by their numbers. */
export function testRun(
  step: 'install' | 'build' | 'test',
  { ended, output, leftBehind, notEnded }: Omit<ContainedResult, 'isMarked'>,
): TestRun {
  const text = readable(output);
  return {
    result: ended === 'well' ? 'passed' : (FAILURES[step] ?? (ended === 'badly' ? 'failed' : LIMITS[ended])),
    counts: step === 'test' ? parseCounts(text) : undefined,
    coverage: step === 'test' ? parseCoverage(text) : undefined,
    output: lastLines(text),
    remarks: [
      ...leftMessages(leftBehind, notEnded),
      ...(ended === 'too late' && step !== 'test' ? ['It did not end within the time limit.'] : []),
    ],
  };
}

function leftMessages(leftBehind: number, notEnded: number): readonly string[] {
  if (leftBehind === 0) return [];
  if (notEnded > 0) return [`It left ${leftBehind} processes behind. ${notEnded} could not be ended: another user owns them.`];
  return [leftBehind === 1 ? 'It left one process behind, which was ended.' : `It left ${leftBehind} processes behind, which were ended.`];
}

const FAILURES: Readonly<Record<string, TestRun['result'] | undefined>> = { install: 'not installed', build: 'not built' };
const LIMITS = { 'too late': 'timed out', 'too much output': 'too much output' } as const;

/** A line of a runner is short. A longer one is cut, because it would be neither read nor searched in reasonable time. */
const LONGEST_LINE = 1000;

/** Without colours, other commands to a terminal, credentials in addresses and overlong lines. */
function readable(output: string): string {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const cut = lines.map((line) => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`));
  return redactUrls(cut.join('\n').replace(/[^\P{Cc}\t\n]/gu, ''));
}

/** A package that was installed, and built where that was asked for, without anything to tell. */
export const PREPARED: TestRun = { result: 'passed', counts: undefined, coverage: undefined, output: '', remarks: [] };

/** A package without a script `test`. */
export const NO_TESTS: TestRun = { result: 'no tests', counts: undefined, coverage: undefined, output: '', remarks: [] };

/** The end of an output, and what came before and is evidence: without the frames of a stack that lie in Node and in packages. */
function lastLines(output: string, count = 25): string {
  const lines = output.trimEnd().split('\n');
  const told = lines.filter((line) => !/^\s+at .*(?:\(node:|\/node_modules\/|process\.processImmediate)/.test(line));
  const evidence = new Set(told.slice(0, -count).filter(isEvidence));
  return [...[...evidence].slice(0, MOST_EVIDENCE), ...told.slice(-count)].join('\n');
}

const MOST_EVIDENCE = 5;

/** Compares all runs of one side with all of the other: what is not the same in each pair is chance. */
export function outcomeOf({ before, after }: ComparedRuns): TestOutcome {
  const pairs = before.flatMap((one) => after.map((other) => [one, other] as const));
  const neverPasses = ![...before, ...after].some(isGood);
  if (neverPasses && [before, after].some(variesAmong)) return 'flaky';
  if (pairs.every(([one, other]) => isWorse(one, other))) return 'newly failing';
  if (neverPasses) return 'failed before';
  if (pairs.every(([one, other]) => !isGood(one) && isGood(other))) return 'newly passing';
  if (pairs.every(([one, other]) => isGood(one) && isGood(other) && !isWorse(one, other))) return 'same';
  return 'flaky';
}

/** Whether the numbers of failing runs of one side are not the same. */
function variesAmong([first, ...others]: TestRuns): boolean {
  return others.some(({ counts }) => counts?.passed !== first.counts?.passed || counts?.failed !== first.counts?.failed);
}

/** Whether runs are repeated on both sides: a side failed, or tests or coverage got lost. What was not installed or built will not be the next time. */
export function mayBeChance({ before, after }: ComparedRuns): boolean {
  const all = [...before, ...after];
  if (all.some(({ result }) => result === 'not installed' || result === 'not built' || result === 'no tests')) return false;
  return all.some((run) => !isGood(run)) || isWorse(lastOf(before), lastOf(after));
}

/** The run that counts. */
export function lastOf(runs: TestRuns): TestRun {
  return runs.at(-1) ?? runs[0];
}

/** Whether `after` is worse: it fails where `before` does not, or has lost passing tests or coverage. Of two that fail, the one with fewer passing or more failing tests. */
export function isWorse(before: TestRun, after: TestRun): boolean {
  if (isGood(before) !== isGood(after)) return isGood(before);
  if (after.result === 'no tests') return before.result !== 'no tests';
  const [passed, passedNow] = [passedIn(before), passedIn(after)];
  if (passedNow !== passed) return passedNow < passed;
  if ((after.counts?.failed ?? 0) > (before.counts?.failed ?? 0)) return true;
  return isGood(before) && lostCoverage(before.coverage, after.coverage).length > 0;
}

/** A run that fails and tells nothing has not come far. One that passes and tells nothing may have run as many; but a suite that counted before and counts nothing now is lost. */
function passedIn({ counts }: TestRun): number {
  return counts?.passed ?? -1;
}

export function isGood({ result }: TestRun): boolean {
  return result === 'passed' || result === 'no tests';
}

/** `57`, `50 + 7 failed`, `failed`, `not installed`. */
export function formatRun({ result, counts }: TestRun): string {
  if (counts === undefined) return result;
  const failed = counts.failed === 0 ? '' : ` + ${counts.failed} failed`;
  // Something else in the script fails, such as a linter.
  return `${counts.passed}${failed}${result === 'failed' && counts.failed === 0 ? ', then failed' : result === 'timed out' ? ', then timed out' : ''}`;
}
