import { stripVTControlCharacters } from 'node:util';
import { redactUrls } from '@tributary/model/repo-url';
import type { ContainedResult } from '@tributary/process/contained';
import type { Coverage, TestEnd, TestLevel, TestOutcome } from '../result/tests-result.js';
import { runsNothing } from '../scripts.js';
import { someOf } from '../text.js';
import { parseCounts, type TestCounts } from './counts.js';
import { lostCoverage, parseCoverage } from './coverage.js';

export const TEST_LEVELS: readonly TestLevel[] = ['install', 'build', 'test'];

export function isLevel(text: string): text is TestLevel {
  return TEST_LEVELS.some((level) => level === text);
}

/** The result of a package's tests on one side, or of the steps before them. */
export interface TestRun {
  readonly result: TestEnd;
  /** `undefined` if the runner does not print them, or no tests were run. */
  readonly counts: TestCounts | undefined;
  readonly coverage: Coverage | undefined;
  /** The end of the output, and earlier lines that are evidence. */
  readonly output: string;
  /** Notes about how it ran, as sentences. */
  readonly remarks: readonly string[];
}

/** The runs of one side. The last one counts. */
export type TestRuns = readonly [TestRun, ...TestRun[]];

/** The runs of one package on both sides. */
export interface ComparedRuns {
  readonly before: TestRuns;
  readonly after: TestRuns;
}

/** Returns the result of a script. `step` is its purpose: only a failure of the tests themselves has counts. */
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

/** Lines of runners are short. A longer one is cut, because nobody reads it and searching it takes too long. */
const LONGEST_LINE = 1000;

/** Returns an output without colours, other terminal commands, credentials in URLs and overlong lines. */
function readable(output: string): string {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const cut = lines.map((line) => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`));
  return redactUrls(cut.join('\n').replace(/[^\P{Cc}\t\n]/gu, ''));
}

/** The run of a package that was installed, and built if requested, with nothing to report. */
export const PREPARED: TestRun = { result: 'passed', counts: undefined, coverage: undefined, output: '', remarks: [] };

/** Returns the run of a package whose wanted script is missing or runs nothing, with those that it has; `undefined` if it may run tests. */
export function withoutTests(script: string, scripts: Readonly<Record<string, string>>): TestRun | undefined {
  const isThere = Object.hasOwn(scripts, script);
  // Some package managers run the scripts around it, others do not.
  if (isThere && !runsNothing(scripts[script] ?? '')) return undefined;
  const others = Object.keys(scripts).filter((name) => name !== script);
  const likely = others.filter((name) => /test|spec|check|ci\b/i.test(name));
  const shown = (likely.length > 0 ? likely : others).map((name) => `"${name}"`);
  const there = shown.length === 0 ? '' : `, but ${someOf(shown)}: --tests-script <name> runs one of them`;
  const cause = isThere ? `Its script "${script}" runs nothing` : `It has no script "${script}"`;
  return { result: 'no tests', counts: undefined, coverage: undefined, output: '', remarks: [`${cause}${there}.`] };
}

/** Returns the last lines of an output, preceded by earlier evidence. Stack frames in Node and in packages are omitted. */
function lastLines(output: string, count = 25): string {
  const lines = output.trimEnd().split('\n');
  const told = lines.filter((line) => !/^\s+at .*(?:\(node:|\/node_modules\/|process\.processImmediate)/.test(line));
  const evidence = new Set(told.slice(0, -count).filter(isEvidence));
  return [...[...evidence].slice(0, MOST_EVIDENCE), ...told.slice(-count)].join('\n');
}

const MOST_EVIDENCE = 5;

/** Whether a line names a package that is missing, or a path into a `node_modules` folder that does not exist. */
function isEvidence(line: string): boolean {
  return /(?:ENOENT|Cannot find module|ENOTDIR).*?node_modules\/[@\w]/.test(line) || /Cannot find (?:module|package) '[@\w]/.test(line);
}

/** Compares every run of one side with every run of the other. A difference that not every pair shows is chance. */
export function outcomeOf({ before, after }: ComparedRuns): TestOutcome {
  if ([...before, ...after].every(isEmpty)) return 'not compared';
  const pairs = before.flatMap((one) => after.map((other) => [one, other] as const));
  const neverPasses = ![...before, ...after].some(isGood);
  if (neverPasses && [before, after].some(variesAmong)) return 'flaky';
  if (pairs.every(([one, other]) => isWorse(one, other))) return 'newly failing';
  if (neverPasses) return 'failed before';
  if (pairs.every(([one, other]) => !isGood(one) && isGood(other))) return 'newly passing';
  if (pairs.every(([one, other]) => isGood(one) && isGood(other) && !isWorse(one, other))) return 'same';
  return 'flaky';
}

/** Whether no test ran, although nothing failed. A runner whose output has no numbers may have run some. */
function isEmpty({ result, counts }: TestRun): boolean {
  return result === 'no tests' || (result === 'passed' && counts?.passed === 0 && counts.failed === 0);
}

/** Whether the counts of one side's runs differ. */
function variesAmong([first, ...others]: TestRuns): boolean {
  return others.some(({ counts }) => counts?.passed !== first.counts?.passed || counts?.failed !== first.counts?.failed);
}

/**
 * Whether both sides must run again: one failed, or tests or coverage were lost. A failed installation or build is not
 * repeated, because it would fail again.
 */
export function mayBeChance({ before, after }: ComparedRuns): boolean {
  const all = [...before, ...after];
  if (all.some(({ result }) => result === 'not installed' || result === 'not built' || result === 'no tests')) return false;
  return all.some((run) => !isGood(run)) || isWorse(lastOf(before), lastOf(after));
}

/** Returns the run that counts. */
export function lastOf(runs: TestRuns): TestRun {
  return runs.at(-1) ?? runs[0];
}

/**
 * Whether `after` is worse: only it fails, or it lost passing tests or coverage. If both fail, the one with fewer
 * passing or more failing tests is worse.
 */
export function isWorse(before: TestRun, after: TestRun): boolean {
  if (isGood(before) !== isGood(after)) return isGood(before);
  if (after.result === 'no tests') return before.result !== 'no tests';
  const [passed, passedNow] = [passedIn(before), passedIn(after)];
  if (passedNow !== passed) return passedNow < passed;
  if ((after.counts?.failed ?? 0) > (before.counts?.failed ?? 0)) return true;
  return isGood(before) && lostCoverage(before.coverage, after.coverage).length > 0;
}

/**
 * Returns the number of passed tests, or -1 without counts. A failing run without counts has not come far. A passing
 * one may have run as many tests, but if the suite reported counts before, its tests are lost.
 */
function passedIn({ counts }: TestRun): number {
  return counts?.passed ?? -1;
}

export function isGood({ result }: TestRun): boolean {
  return result === 'passed' || result === 'no tests';
}
