import { median, type Timings } from '../timings/timings.js';
import type { TaskTimes } from './predict-shard.js';
import { taskId } from './upstream.js';

/** So few that a test that has become slower is believed after two runs, and a single slow run is not. */
const RUNS_THAT_COUNT = 3;

/** A workspace whose tests are to be planned. */
export interface Timed {
  readonly name: string;
  readonly testFiles: number;
}

/** What a test file takes where no workspace says how long its tests took. */
const ASSUMED_SECONDS_A_FILE = 5;
/** Nothing takes no time: a plan of zeros would put everything on one machine. */
const LEAST_SECONDS = 0.1;

/**
 * How long the tests of each workspace are expected to take, in seconds, by name: the median of its last three runs; else by its number of test
 * files, at the pace of all that are known; else as long as the others on average. Never zero.
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

/** What tasks took, and how much processor time of it is known. */
interface TaskRecord {
  readonly timings: Timings;
  readonly cpuSeconds: Timings;
  readonly task: string;
}

/**
 * The same with processor time: the median of the last three runs that tell of it; else as much of what the tests take as of those that are
 * known; where nothing is known all of it, as of tests that compute and never wait.
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

/** Whether any run tells how long the tests of a workspace take. */
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
