import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Machine } from '../plan/machine.js';

/** The seconds of tasks in their last runs, oldest first; at most `KEPT` for each. By task: `@acme/ui#test`. */
export type Timings = ReadonlyMap<string, readonly number[]>;

/** Seconds by test file, whose path is relative to the workspace. */
export type FileTimes = Readonly<Record<string, number>>;

/** One run of a task. */
export interface Run {
  /** The duration, without delays by other tasks as far as known. */
  readonly seconds: number;
  /** Milliseconds since 1970, which identifies a run that is collected again; `null` in files of older versions. */
  readonly startedAt: number | null;
  /** The number of test files that the runner listed, if it was asked. */
  readonly testFiles?: number | undefined;
  /** How many tests ran, if its runner told. */
  readonly tests?: number | undefined;
  /** Processor time of all its processes, if it was measured. */
  readonly cpuSeconds?: number | undefined;
  /** The processors of its machine, and the most tasks that ran at once; from receipts. */
  readonly cores?: number | undefined;
  readonly concurrency?: number | undefined;
  /** The time of each test file; kept only for the newest run with a report. */
  readonly files?: FileTimes | undefined;
}

/** The content of a timings file: the last runs of tasks in the order of their starts; at most `KEPT` for each. */
export type Runs = ReadonlyMap<string, readonly Run[]>;

/** The number of runs kept per task; more push out the oldest. */
export const KEPT = 10;
/** In seconds. Tasks that take less are not worth splitting, so times of their files are not kept. */
export const LONG_SECONDS = 10;
const DAY = 24 * 3600;

/** Parses a timings file. Throws `TIMINGS_INVALID` for invalid content: a wrong time makes bad plans for a long time. */
export function parseTimings(text: string, file: string): Runs {
  const value = readJson(text, file);
  if (!isPlainObject(value) || value['schemaVersion'] !== 1) throw invalid(file, 'it has no "schemaVersion": 1');
  const { tasks } = value;
  if (!isPlainObject(tasks)) throw invalid(file, 'it has no "tasks"');
  const beside = BESIDE.map((kind) => ({ ...kind, lists: listsOf(value[kind.key] ?? {}, kind.key, file) }));
  return new Map(
    Object.entries(tasks).map(([task, seconds]) => {
      const where = `${file}: ${JSON.stringify(task.slice(0, 100))}`;
      const times = readSeconds(seconds, where);
      const more = beside.map((kind) => ({ key: kind.key, values: besideTimes(kind.lists.get(task), times, { ...kind, where }) }));
      return [
        task,
        times.map((one, at) => runOf(one, new Map(more.map(({ key, values }) => [key, values[at] ?? undefined])))).slice(-KEPT),
      ];
    }),
  );
}

/** The data next to the times, in the order of the file. */
type Beside = Exclude<keyof Run, 'seconds'>;

interface BesideKind {
  readonly key: Beside;
  readonly isOne: (value: unknown) => boolean;
  readonly problem: string;
}

const BESIDE: readonly BesideKind[] = [
  { key: 'startedAt', isOne: isStart, problem: 'its "startedAt" must have the start of the run for each time' },
  { key: 'testFiles', isOne: isFileCount, problem: 'its "testFiles" must have the number of test files for each time' },
  { key: 'tests', isOne: isFileCount, problem: 'its "tests" must have the number of tests that ran for each time' },
  { key: 'cpuSeconds', isOne: isCpuTime, problem: 'its "cpuSeconds" must have the processor time for each time' },
  { key: 'cores', isOne: isPlace, problem: 'its "cores" must have the number of processors for each time' },
  { key: 'concurrency', isOne: isPlace, problem: 'its "concurrency" must have the most tasks that ran at once for each time' },
  { key: 'files', isOne: isFileTimes, problem: 'its "files" must have the times of the test files for each time' },
];

function listsOf(value: unknown, key: Beside, file: string): ReadonlyMap<string, unknown> {
  if (!isPlainObject(value)) throw invalid(file, `its "${key}" is not an object`);
  return new Map(Object.entries(value));
}

/** `beside`: already checked by `BESIDE`. */
function runOf(seconds: number, beside: ReadonlyMap<Beside, unknown>): Run {
  return { seconds, startedAt: null, ...Object.fromEntries([...beside].filter(([, value]) => isKnown(value))) };
}

/**
 * Formats runs as text to commit: sorted, a line for each task. The other data of runs are separate, so that older readers, which know only
 * times, can still read it.
 */
export function formatTimings(runs: Runs): string {
  const sorted = [...runs].sort(([a], [b]) => (a < b ? -1 : 1));
  const times = sorted.map(([task, all]) =>
    lineOf(
      task,
      all.map(({ seconds }) => inThousandths(seconds)),
    ),
  );
  const more = BESIDE.map(({ key }) => {
    const known = sorted.filter(([, all]) => all.some((run) => isKnown(run[key])));
    return known.length === 0
      ? ''
      : `,\n  "${key}": ${block(
          known.map(([task, all]) =>
            lineOf(
              task,
              all.map((run) => inThousandths(run[key] ?? null)),
            ),
          ),
        )}`;
  });
  return `{\n  "schemaVersion": 1,\n  "tasks": ${block(times)}${more.join('')}\n}\n`;
}

/** Adds runs, ordered by start. A known run is not added again, whoever collects it. */
export function addTimings(known: Runs, more: Runs): Runs {
  const all = new Map(known);
  for (const [task, runs] of more) all.set(task, lastOf([...(all.get(task) ?? []), ...runs]));
  return all;
}

/** A run without a start is older than all others, and cannot be recognised again. */
function lastOf(runs: readonly Run[]): readonly Run[] {
  const seen = new Set<number>();
  const once = runs.filter(({ startedAt }) => {
    if (startedAt === null) return true;
    const isNew = !seen.has(startedAt);
    seen.add(startedAt);
    return isNew;
  });
  const last = once.sort((a, b) => (a.startedAt ?? -1) - (b.startedAt ?? -1)).slice(-KEPT);
  const newest = last.findLast(({ files }) => files !== undefined);
  return last.map((run) => (run === newest || run.files === undefined ? run : { ...run, files: undefined }));
}

/** Returns only the times, for a plan. */
export function secondsOf(runs: Runs): Timings {
  return new Map([...runs].map(([task, all]) => [task, all.map(({ seconds }) => seconds)]));
}

/** Returns the processor times of the last runs, in the form of `Timings`. */
export function cpuSecondsOf(runs: Runs): Timings {
  return new Map(
    [...runs].flatMap(([task, all]): readonly [string, readonly number[]][] => {
      const known = all.flatMap(({ cpuSeconds }) => (cpuSeconds === undefined ? [] : [cpuSeconds]));
      return known.length === 0 ? [] : [[task, known]];
    }),
  );
}

/** Returns the machine of the newest run with one, or the largest if several began at once. `undefined` if there is none. */
export function machineOf(runs: Runs): Machine | undefined {
  const known = [...runs.values()]
    .flat()
    .flatMap(({ startedAt, cores, concurrency }) =>
      cores === undefined || concurrency === undefined ? [] : [{ startedAt: startedAt ?? 0, machine: { cores, concurrency } }],
    );
  const isNewer = (one: (typeof known)[number], other: (typeof known)[number]): boolean =>
    (one.startedAt - other.startedAt || one.machine.cores - other.machine.cores || one.machine.concurrency - other.machine.concurrency) > 0;
  return known.length === 0 ? undefined : known.reduce((newest, one) => (isNewer(one, newest) ? one : newest)).machine;
}

/** Returns for each task the runs on such a machine, or all if there are none: times next to other tasks are less certain. */
export function runsOn(runs: Runs, machine: Machine | undefined): Runs {
  if (machine === undefined) return runs;
  return new Map(
    [...runs].map(([task, all]) => {
      const there = all.filter(({ cores, concurrency }) => cores === machine.cores && concurrency === machine.concurrency);
      return [task, there.length === 0 ? all : there];
    }),
  );
}

/** Returns the last numbers of test files that runners listed, by task. */
export function testFilesOf(runs: Runs): ReadonlyMap<string, number> {
  return new Map(
    [...runs].flatMap(([task, all]): readonly [string, number][] => {
      const last = all.findLast(({ testFiles }) => testFiles !== undefined)?.testFiles;
      return last === undefined ? [] : [[task, last]];
    }),
  );
}

/** How many tests a task ran in the newest run that told; `undefined`: none did. */
export function testsOf(runs: Runs, task: string): number | undefined {
  return runs.get(task)?.findLast(({ tests }) => tests !== undefined)?.tests;
}

/** What the test files of a task took when they were last reported. */
export function fileTimesOf(runs: Runs, task: string): readonly { readonly file: string; readonly seconds: number }[] {
  const files = runs.get(task)?.findLast((run) => run.files !== undefined)?.files;
  return Object.entries(files ?? {}).map(([file, seconds]) => ({ file, seconds }));
}

/** Returns `undefined` for an empty list. */
export function median(seconds: readonly number[]): number | undefined {
  const sorted = [...seconds].sort((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const [one, other] = [sorted[middle], sorted[sorted.length - 1 - middle]];
  return one === undefined || other === undefined ? undefined : (one + other) / 2;
}

/** Tells whether a duration in seconds is possible for a task. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= DAY;
}

/** Formats a value for a message. Lists may be nested too deeply to print. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'what stands there' : JSON.stringify(value).slice(0, 40);
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}

function lineOf(task: string, values: readonly string[]): string {
  return `    ${JSON.stringify(task)}: [${values.join(', ')}]`;
}

/** Formats as JSON, with seconds rounded to milliseconds; whole numbers stay unchanged. */
function inThousandths(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Math.round(one * 1000) / 1000 : one));
}

function readSeconds(value: unknown, where: string): readonly number[] {
  if (!Array.isArray(value)) throw invalid(where, 'it must be a list of seconds');
  const bad = value.findIndex((one) => !isTime(one));
  if (bad >= 0) throw invalid(where, `${shown(value[bad])} is not a valid time of a task: it must be from 0 to ${DAY} seconds`);
  return value as readonly number[];
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Returns the data next to the times of a task: none, or one value per time. */
function besideTimes(
  values: unknown,
  times: readonly number[],
  { where, isOne, problem }: BesideKind & { readonly where: string },
): readonly (number | null)[] {
  if (values === undefined) return [];
  if (!Array.isArray(values) || values.length !== times.length || !values.every(isOne)) throw invalid(where, problem);
  return values as readonly (number | null)[];
}

function isStart(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

function isFileTimes(value: unknown): boolean {
  return value === null || (isPlainObject(value) && Object.values(value).every(isTime));
}

/** Tells whether a number of test files is possible; `null`: the runner was not asked. */
export function isFileCount(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}

function isCpuTime(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

function isPlace(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 1);
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid(file, 'it is not JSON');
  }
}

function invalid(where: string, problem: string): ToolError {
  return new ToolError({
    code: 'TIMINGS_INVALID',
    message: `The timings cannot be used: ${where}: ${problem}.`,
    hint: 'Delete the file, or create a new one with `affected timings collect`. Without timings, the plan uses the number of test files.',
    data: { where },
  });
}
