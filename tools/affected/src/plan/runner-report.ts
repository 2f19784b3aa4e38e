import { isPlainObject } from '@tributary/model/plain-object';
import type { TestFailure } from '../receipt/receipt.js';

/** A runner's report: its own texts, shortened, without control characters. */
export interface RunnerReport {
  /** Paths as the runner names them, with their times. */
  readonly files: readonly { readonly path: string; readonly seconds: number }[];
  /** The number of tests that ran, without skipped ones; `null`: unknown. */
  readonly tests: number | null;
  /** The paths of files of which not all tests ran, as the runner names them. */
  readonly partial: readonly string[];
  readonly failed: number;
  /** The first failures. `file`: as the runner names it. */
  readonly failures: readonly TestFailure[];
  /** The first tests that passed only on a retry, with the message of their first attempt. */
  readonly retried: readonly TestFailure[];
  /** The number of snapshots that it wrote, and so compared with nothing. */
  readonly written?: number;
  /** Its number of failed tests is not that of its single results. */
  readonly contradicts?: true;
}

/** The most failures kept of a run. */
export const KEPT_FAILURES = 20;

/** Parses the JSON report of jest and vitest; `undefined` for any other text, for example a truncated one. */
export function parseRunnerReport(text: string): RunnerReport | undefined {
  const value = readJson(text);
  if (!isPlainObject(value) || !Array.isArray(value['testResults'])) return undefined;
  const {
    numTotalTests: all,
    numPassedTests: passed,
    numFailedTests: failedTests,
    numRuntimeErrorTestSuites: broken = 0,
    testResults,
  } = value;
  if (!isAmount(all) || !isAmount(failedTests) || !isAmount(broken)) return undefined;
  const suites = testResults.filter(isPlainObject);
  return {
    files: suites.flatMap(({ name, startTime, endTime }) =>
      typeof name === 'string' && isNumber(startTime) && isNumber(endTime)
        ? [{ path: name, seconds: Math.max(0, endTime - startTime) / 1000 }]
        : [],
    ),
    tests: isAmount(passed) ? passed + failedTests : all,
    partial: suites.flatMap(({ name, assertionResults }) => (typeof name === 'string' && hasSkipped(assertionResults) ? [name] : [])),
    failed: failedTests + broken,
    ...writtenIn(value['snapshot']),
    ...(failedTests === failedIn(suites) ? {} : { contradicts: true }),
    failures: suites
      .filter(({ status }) => status === 'failed')
      .flatMap(failuresOf)
      .slice(0, KEPT_FAILURES),
    retried: suites.flatMap(retriedOf).slice(0, KEPT_FAILURES),
  };
}

function writtenIn(snapshot: unknown): Pick<RunnerReport, 'written'> {
  const { added = 0, updated = 0 } = isPlainObject(snapshot) ? snapshot : {};
  const written = Number(added) + Number(updated);
  return written > 0 ? { written } : {};
}

function failedIn(suites: readonly Readonly<Record<string, unknown>>[]): number {
  return suites.flatMap(({ assertionResults }) => resultsIn(assertionResults)).filter(({ status }) => status === 'failed').length;
}

/** The same for a test that is skipped, that a pattern of names leaves out, and that stands beside one with `.only`. */
function hasSkipped(assertionResults: unknown): boolean {
  return resultsIn(assertionResults).some(({ status }) => status === 'pending' || status === 'skipped');
}

/** jest counts tries. vitest does not, but a test that passed has failures only if it was tried before. */
function retriedOf({ name, assertionResults }: Readonly<Record<string, unknown>>): readonly TestFailure[] {
  const file = typeof name === 'string' ? name : null;
  return resultsIn(assertionResults).flatMap(({ status, fullName, invocations, retryReasons, failureMessages, location }) => {
    const reasons: readonly unknown[] = listOf(invocations === undefined ? failureMessages : retryReasons);
    const isRetried = status === 'passed' && (invocations === undefined ? reasons.length > 0 : Number(invocations) > 1);
    return isRetried ? [failureOf({ file, test: fullName, text: reasons[0], location })] : [];
  });
}

function resultsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listOf(value).filter(isPlainObject);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function failuresOf({ name, message, assertionResults }: Readonly<Record<string, unknown>>): readonly TestFailure[] {
  const file = typeof name === 'string' ? name : null;
  const failed = resultsIn(assertionResults).filter(({ status }) => status === 'failed');
  // A file that fails to load has no tests.
  if (failed.length === 0) return [failureOf({ file, test: file ?? 'unknown', text: message, location: undefined })];
  return failed.map(({ fullName, failureMessages, location }) =>
    failureOf({ file, test: fullName, text: listOf(failureMessages)[0], location }),
  );
}

function failureOf({
  file,
  test,
  text,
  location,
}: {
  readonly file: string | null;
  readonly test: unknown;
  readonly text: unknown;
  readonly location: unknown;
}): TestFailure {
  const message = plainText(withoutForeignFrames(typeof text === 'string' ? text : ''));
  const named = isPlainObject(location) && isLineNumber(location['line']) ? location['line'] : null;
  return { file, line: (file === null ? null : lineIn(message, file)) ?? named, test: inOneLine(test), message };
}

/** Removes stack frames of the runner and of packages, where nobody looks for the fault. */
function withoutForeignFrames(text: string): string {
  const isForeign = (line: string): boolean => /^\s+at /.test(line) && /[\\/]node_modules[\\/]|\(?node:|<anonymous>\)$/.test(line);
  return text
    .split('\n')
    .filter((line) => !isForeign(line))
    .join('\n');
}

/**
 * Returns the first line at which a stack names the file, which is closer to the fault than the test's start. Tries the whole path first,
 * because files in other folders may have the same name.
 */
function lineIn(message: string, file: string): number | null {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return lineBehind(message, file) ?? lineBehind(message, name);
}

/** Returns the line number after a name, unless the name is the end of a longer one. */
function lineBehind(message: string, name: string): number | null {
  for (let at = message.indexOf(`${name}:`); at >= 0; at = message.indexOf(`${name}:`, at + 1)) {
    const number = Number(/^\d{1,6}/.exec(message.slice(at + name.length + 1, at + name.length + 7))?.[0]);
    if (isLineNumber(number) && !/[\p{L}\p{N}_.@$-]/u.test(message[at - 1] ?? '')) return number;
  }
  return null;
}

/** In characters; longer texts are truncated. */
const LONGEST_MESSAGE = 4000;
const LONGEST_NAME = 300;

/** Returns the name of a test in one line; never empty. */
function inOneLine(name: unknown): string {
  const text = typeof name === 'string' ? name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() : '';
  return text === '' ? 'a test without a name' : text.slice(0, LONGEST_NAME);
}

/** Removes colours and control characters from test output, except line breaks and tabs. */
export function plainText(text: string, longest = LONGEST_MESSAGE): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]|\r(?=\n)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').slice(0, longest);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && isNumber(value);
}

function isLineNumber(value: unknown): value is number {
  return isNumber(value) && Number.isInteger(value) && value >= 1 && value <= 1_000_000;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
