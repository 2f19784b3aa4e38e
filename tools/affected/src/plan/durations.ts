import { median, type Timings } from '../timings/timings.js';
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
