import { isPlainObject } from '@tributary/model/plain-object';
import type { FileTime } from '../plan/file-parts.js';
import { isRuntime } from '../plan/runtime.js';
import { isCount, isLine, isName, isPart } from '../plan/shape.js';
import { isFileCount, isTime as isTaskTime } from '../timings/timings.js';

/** The output of `affected run-shard`: what really ran. Schema: `schema/receipt.schema.json`; a change of shape is a new version. */
export interface Receipt {
  readonly schemaVersion: 2;
  /** The hash of the plan of the shard. */
  readonly plan: string;
  /** The id of the shard. */
  readonly shard: string;
  /** From 1; each re-run of the job adds one. */
  readonly attempt: number;
  /** The checked-out commit. */
  readonly commit: string;
  /** Whether the tracked files matched the commit when the shard began, and tests of it when it ended; `unknown`: git could not tell. */
  readonly workTree: (typeof WORK_TREES)[number];
  /** Equal for two shards exactly if they ran in the same checkout. */
  readonly checkout: string;
  /** The platform, architecture and major version of Node of its tasks: `linux-x64-node22`. Missing: not known. */
  readonly runtime?: string;
  /** The number of processors available to the shard, and the most tasks that turborepo ran at once. */
  readonly cores: number;
  readonly concurrency: number;
  /** Milliseconds since 1970, for the whole shard. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The pieces that ran, or whose result came from turbo's cache. A piece that never began, because a build failed, is missing. */
  readonly pieces: readonly ReceiptPiece[];
  /** The other tasks that ran for them, such as builds, without cached ones. Used only for timings. */
  readonly builds: readonly ReceiptBuild[];
  /** Those that failed, and did not pass later in the shard: what depends on them did not run. Missing: none. */
  readonly failedBuilds?: readonly FailedBuild[];
}

const WORK_TREES = ['clean', 'dirty', 'unknown'] as const;

export interface ReceiptPiece {
  readonly workspace: string;
  /** The task, as in the plan; missing for a plan of one task. */
  readonly task?: string;
  /** `[1, 3]` is the first of three parts; `null`: all tests of the workspace. */
  readonly part: readonly [number, number] | null;
  /** `replayed`: turbo replayed the result of an earlier run. */
  readonly state: 'executed' | 'replayed';
  readonly taskHash: string;
  readonly exit: number;
  /** The number of test files that the runner listed for all tests of the workspace; `null`: it was not asked, or could not tell. */
  readonly testFiles: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Processor time of all its processes, in seconds; `null` if unknown, as for a cached result. */
  readonly cpuSeconds: number | null;
  /** The time of each test file according to the runner's report. Only files that took long. */
  readonly fileSeconds?: readonly FileTime[];
  /**
   * For a part: the same id for all parts cut in the same way out of the same files, as the runner lists them or, without a list, by their
   * names.
   */
  readonly list?: string;
  /** The first failed tests, according to the runner's report; of a piece with `failedBefore`, those of that attempt. */
  readonly failures?: readonly TestFailure[];
  /** The first tests that passed only on a retry, with the message of their first attempt. */
  readonly retried?: readonly TestFailure[];
  /** It passed, and failed in this attempt when its shard ran before, for the same plan and commit. */
  readonly failedBefore?: number;
  /** The end of a failed task's output. */
  readonly log?: string;
  /** How many tests ran, by the runner's own report; missing: it did not tell. */
  readonly tests?: number;
  /** The first places that keep other tests of their file from running (`it.only`): `packages/ui/a.test.ts:7`. Else files that do not say why some of their tests did not run. */
  readonly only?: readonly string[];
  /** The number of failed tests according to the runner's report, although the task ended with exit code 0. */
  readonly unheeded?: number;
  /** A sentence: why it does not count although it ended with exit code 0. */
  readonly problem?: string;
  /** A sentence: why its tests ran although turborepo had a result of them. What ran before them may come from a cache. */
  readonly forced?: string;
}

/**
 * A test that failed, at least on its first attempt. Its texts come from the tests and may contain any characters except control characters
 * other than line breaks and tabs.
 */
export interface TestFailure {
  /** Relative to the project's root; `null` if the report does not say. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** The full name, on one line. */
  readonly test: string;
  readonly message: string;
}

export interface ReceiptBuild {
  /** In turborepo's notation: `@acme/ui#build`. */
  readonly task: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Like that of a piece. */
  readonly cpuSeconds: number | null;
}

export interface FailedBuild extends Pick<ReceiptBuild, 'task'>, Pick<ReceiptPiece, 'exit' | 'log'> {}

/** Parses a receipt. Returns the receipt or a problem, as a clause to follow the name of its file. */
export function parseReceipt(text: string): Receipt | { readonly problem: string } {
  const value = readJson(text);
  if (!isPlainObject(value)) return { problem: 'it is not a JSON object' };
  if (value['schemaVersion'] !== 2) return { problem: versionProblem(value['schemaVersion']) };
  const { plan, shard, attempt, commit, workTree, checkout, runtime, cores, concurrency, pieces, builds, failedBuilds = [] } = value;
  const isKnown = [plan, shard, commit, checkout].every(isName) && WORK_TREES.some((one) => one === workTree) && isSpan(value);
  if (
    !isKnown ||
    !(runtime === undefined || isRuntime(runtime)) ||
    ![attempt, cores, concurrency].every(isCount) ||
    !Array.isArray(pieces) ||
    !Array.isArray(builds) ||
    !Array.isArray(failedBuilds)
  )
    return { problem: 'a field is missing or has the wrong type' };
  if (!pieces.every(isPiece) || !builds.every(isBuild) || !failedBuilds.every(isFailedBuild))
    return { problem: 'one of its pieces is invalid' };
  return value as unknown as Receipt;
}

function isPiece(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const {
    workspace,
    task,
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
    unheeded = 1,
    problem,
    list,
    forced,
    failedBefore = 1,
  } = value;
  return (
    isName(workspace) &&
    (task === undefined || isName(task)) &&
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
    isCount(unheeded) &&
    (problem === undefined || isLine(problem)) &&
    (list === undefined || isName(list)) &&
    (forced === undefined || isLine(forced)) &&
    isCount(failedBefore) &&
    isSpan(value)
  );
}

function isBuild(value: unknown): boolean {
  return isPlainObject(value) && isName(value['task']) && isCpuTime(value['cpuSeconds']) && isSpan(value);
}

function isFailedBuild(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { task, exit, log = '' } = value;
  return isName(task) && Number.isInteger(exit) && exit !== 0 && isText(log);
}

function isFileTime(value: unknown): boolean {
  return isPlainObject(value) && isLine(value['file']) && isTaskTime(value['seconds']);
}

function isFailure(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { file, line, test, message } = value;
  return (file === null || isLine(file)) && (line === null || isCount(line)) && isLine(test) && isText(message);
}

/** In characters; longer than any text that is written. */
const LONGEST_TEXT = 20_000;

/** Tells whether a value is text without control characters except tabs and line feeds; a terminal or page might obey others. */
function isText(value: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are refused.
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value);
}

function isCpuTime(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

/** Rejects a negative span. A clock may jump, so it may be long. */
function isSpan({ startedAt, endedAt }: Readonly<Record<string, unknown>>): boolean {
  return isTime(startedAt) && isTime(endedAt) && endedAt >= startedAt;
}

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

/** Formats a value for a message. Objects may be nested too deeply to print. */
function short(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'no number' : (JSON.stringify(value) ?? 'missing').slice(0, 40);
}
