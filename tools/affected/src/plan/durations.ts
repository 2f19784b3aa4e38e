import { median, type Timings } from '../timings/timings.js';
import type { TaskTimes } from './predict-shard.js';
import { taskId } from './upstream.js';

/** With this number, a test that became slower counts after two runs, but a single slow run does not. */
const RUNS_THAT_COUNT = 3;

/** A workspace whose tests are to be planned. */
export interface Timed {
  readonly name: string;
  readonly testFiles: number;
}

/** Assumed seconds per test file if the times of no workspace are known. */
const ASSUMED_SECONDS_A_FILE = 5;
/** Times are never zero: a plan of zeros would put everything on one machine. */
const LEAST_SECONDS = 0.1;

/**
 * Predicts the seconds of each workspace's tests, by name; never zero. It is the median of the last three runs. Without runs, it is the
 * number of test files times the mean of the known ones. Without test files, it is the mean of the others.
 */
export function predictDurations(all: readonly Timed[], timings: Timings, task: string): ReadonlyMap<string, number> {
  const known = new Map(all.flatMap(({ name }) => entryOf(name, median((timings.get(taskId(name, task)) ?? []).slice(-RUNS_THAT_COUNT)))));
  const pace = secondsPerFile(all, known);
  const times = [...known.values()];
  const mean = times.length === 0 ? ASSUMED_SECONDS_A_FILE : times.reduce((sum, one) => sum + one, 0) / times.length;
  return new Map(
    all.map(({ name, testFiles }) => [name, Math.max(LEAST_SECONDS, known.get(name) ?? (testFiles > 0 ? testFiles * pace : mean))]),
  );
}

/** The recorded times of tasks, with the known processor times. */
interface TaskRecord {
  readonly timings: Timings;
  readonly cpuSeconds: Timings;
  readonly task: string;
}

/**
 * Predicts the same with processor time: the median of the last three runs with one. Without such runs, it is the share of the known tests.
 * If nothing is known, it is the whole time, as for tests that always compute.
 */
export function predictTimes(all: readonly Timed[], { timings, cpuSeconds, task }: TaskRecord): ReadonlyMap<string, TaskTimes> {
  const durations = predictDurations(all, timings, task);
  const known = new Map(
    all.flatMap(({ name }) => entryOf(name, median((cpuSeconds.get(taskId(name, task)) ?? []).slice(-RUNS_THAT_COUNT)))),
  );
  const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);
  const whole = sumOf([...known.keys()].map((name) => durations.get(name) ?? 0));
  const share = whole === 0 ? 1 : sumOf([...known.values()]) / whole;
  return new Map([...durations].map(([name, seconds]) => [name, { seconds, cpuSeconds: known.get(name) ?? seconds * share }]));
}

/** Tells whether any run has the time of a workspace's tests. */
export function isMeasured(name: string, timings: Timings, task: string): boolean {
  return (timings.get(taskId(name, task)) ?? []).length > 0;
}

function secondsPerFile(all: readonly Timed[], known: ReadonlyMap<string, number>): number {
  const both = all.flatMap(({ name, testFiles }) =>
    testFiles > 0 && known.has(name) ? [{ seconds: known.get(name) ?? 0, testFiles }] : [],
  );
  const files = both.reduce((sum, one) => sum + one.testFiles, 0);
  return files === 0 ? ASSUMED_SECONDS_A_FILE : both.reduce((sum, one) => sum + one.seconds, 0) / files;
}

function entryOf(name: string, seconds: number | undefined): readonly (readonly [string, number])[] {
  return seconds === undefined ? [] : [[name, seconds]];
}
