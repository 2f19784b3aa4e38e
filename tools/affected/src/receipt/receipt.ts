import { isPlainObject } from '@tributary/model/plain-object';
import type { FileTime } from '../plan/file-parts.js';
import { isCount, isLine, isName, isPart } from '../plan/shape.js';
import { isFileCount, isTime as isTaskTime } from '../timings/timings.js';

/** What `affected run-shard` writes: what really ran. Schema: `schema/receipt.schema.json`; a change of shape is a new version. */
export interface Receipt {
  readonly schemaVersion: 2;
  /** The hash of the plan it was run for. */
  readonly plan: string;
  /** The id of the shard. */
  readonly shard: string;
  /** From 1; a job that is run again counts one more. */
  readonly attempt: number;
  /** The commit that was checked out. */
  readonly commit: string;
  /** Whether the tracked files were those of the commit when the shard began; `unknown`: git could not tell. */
  readonly workTree: (typeof WORK_TREES)[number];
  /** The same for two shards exactly if they ran in one checkout. */
  readonly checkout: string;
  /** How many processors the machine has for it, and how many tasks turborepo ran at once at most. */
  readonly cores: number;
  readonly concurrency: number;
  /** Milliseconds since 1970: of the shard as a whole. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Those that were run, or whose result came out of turbo's cache. One that never began, because a build failed, is missing. */
  readonly pieces: readonly ReceiptPiece[];
  /** What was run for them, such as builds; what came out of a cache is left out. For timings alone. */
  readonly builds: readonly ReceiptBuild[];
}

const WORK_TREES = ['clean', 'dirty', 'unknown'] as const;

export interface ReceiptPiece {
  readonly workspace: string;
  /** `[1, 3]` is the first of three; `null`: all tests of the workspace. */
  readonly part: readonly [number, number] | null;
  /** `replayed`: turbo gave the result of an earlier run. */
  readonly state: 'executed' | 'replayed';
  readonly taskHash: string;
  readonly exit: number;
  /** How many test files the runner listed for all tests of the workspace; `null`: it was not asked, or could not tell. */
  readonly testFiles: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Processor time of all its processes, in seconds; `null`: not known, as of a result of a cache. */
  readonly cpuSeconds: number | null;
  /** What each test file took, by the runner's own report. Only of what took long. */
  readonly fileSeconds?: readonly FileTime[];
  /** Of a part: the same for all that were cut out of the same files in the same way, as the runner lists them, or else by their names. */
  readonly list?: string;
  /** The first tests that failed, by the runner's own report. */
  readonly failures?: readonly TestFailure[];
  /** The first tests that passed only on another try of the runner, with what their first try said. */
  readonly retried?: readonly TestFailure[];
  /** The end of what a failed task printed. */
  readonly log?: string;
  /** How many tests ran, by the runner's own report; missing: it did not tell. */
  readonly tests?: number;
  /** The first places that keep other tests of their file from running (`it.only`): `packages/ui/a.test.ts:7`. */
  readonly only?: readonly string[];
  /** It passed, and by the runner's own report no test ran. */
  readonly untested?: true;
  /** How many tests failed by the runner's own report, though the task ended with exit code 0. */
  readonly unheeded?: number;
  /** A sentence: why it does not count, though it ended with exit code 0. */
  readonly problem?: string;
  /** Why it had to be run, though the plan would have trusted a cache: turbo does not hash a changed file. */
  readonly forced?: string;
}

/** A test that failed, if only on a try. What it says comes from the tests: it may hold anything but other control characters than line ends and tabs. */
export interface TestFailure {
  /** From the root of the project; `null`: the report does not say. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** Its full name, in one line. */
  readonly test: string;
  readonly message: string;
}

export interface ReceiptBuild {
  /** As turborepo calls it: `@acme/ui#build`. */
  readonly task: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** As that of a piece. */
  readonly cpuSeconds: number | null;
}

/** A receipt, or what is wrong with it, as the end of a sentence that begins with the name of its file. */
export function parseReceipt(text: string): Receipt | { readonly problem: string } {
  const value = readJson(text);
  if (!isPlainObject(value)) return { problem: 'it is not a JSON object' };
  if (value['schemaVersion'] !== 2) return { problem: versionProblem(value['schemaVersion']) };
  const { plan, shard, attempt, commit, workTree, checkout, cores, concurrency, pieces, builds } = value;
  const isKnown = [plan, shard, commit, checkout].every(isName) && WORK_TREES.some((one) => one === workTree) && isSpan(value);
  if (!isKnown || ![attempt, cores, concurrency].every(isCount) || !Array.isArray(pieces) || !Array.isArray(builds))
    return { problem: 'a field is missing or has the wrong type' };
  if (!pieces.every(isPiece) || !builds.every(isBuild)) return { problem: 'one of its pieces is invalid' };
  return value as unknown as Receipt;
}

function isPiece(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const {
    workspace,
    part,
    state,
    taskHash,
    exit,
    testFiles,
    cpuSeconds,
    fileSeconds = [],
    failures = [],
    retried = [],
    log = '',
    tests = 0,
    only = [],
    untested = true,
    unheeded = 1,
    problem,
    list,
    forced,
  } = value;
  return (
    isName(workspace) &&
    (part === null || isPart(part)) &&
    (state === 'executed' || state === 'replayed') &&
    isName(taskHash) &&
    Number.isInteger(exit) &&
    isFileCount(testFiles) &&
    isCpuTime(cpuSeconds) &&
    Array.isArray(fileSeconds) &&
    fileSeconds.every(isFileTime) &&
    Array.isArray(failures) &&
    failures.every(isFailure) &&
    Array.isArray(retried) &&
    retried.every(isFailure) &&
    isText(log) &&
    isFileCount(tests) &&
    Array.isArray(only) &&
    only.every(isLine) &&
    untested === true &&
    isCount(unheeded) &&
    (problem === undefined || isLine(problem)) &&
    (list === undefined || isName(list)) &&
    (forced === undefined || isLine(forced)) &&
    isSpan(value)
  );
}

function isBuild(value: unknown): boolean {
  return isPlainObject(value) && isName(value['task']) && isCpuTime(value['cpuSeconds']) && isSpan(value);
}

function isFileTime(value: unknown): boolean {
  return isPlainObject(value) && isLine(value['file']) && isTaskTime(value['seconds']);
}

function isFailure(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { file, line, test, message } = value;
  return (file === null || isLine(file)) && (line === null || isCount(line)) && isLine(test) && isText(message);
}

/** Longer than any that is written. */
const LONGEST_TEXT = 20_000;

/** Lines of text; no other control characters, which a terminal or a page might obey. */
function isText(value: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are refused.
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value);
}

function isCpuTime(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

/** A time before it began, or of more than a day, is none. */
function isSpan({ startedAt, endedAt }: Readonly<Record<string, unknown>>): boolean {
  return isTime(startedAt) && isTime(endedAt) && endedAt >= startedAt && endedAt - startedAt <= DAY_MS;
}

const DAY_MS = 24 * 3600 * 1000;

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function versionProblem(version: unknown): string {
  const problem = `its version is ${short(version)}, but this program supports version 2`;
  return typeof version === 'number' ? `${problem}; run the same version of affected in all jobs` : problem;
}

/** What is nested deeply cannot be printed. */
function short(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'no number' : (JSON.stringify(value) ?? 'missing').slice(0, 40);
}
