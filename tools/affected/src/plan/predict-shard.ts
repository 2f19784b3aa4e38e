import { callsOf } from './calls.js';
import type { Machine } from './machine.js';
import { type SimulatedTask, simulate } from './simulate.js';

/** The times of a task alone on a machine. */
export interface TaskTimes {
  readonly seconds: number;
  /** Processor seconds of all its processes. */
  readonly cpuSeconds: number;
}

/** A build, with the indexes of the builds before it. */
export interface PredictedBuild extends TaskTimes {
  readonly after: readonly number[];
}

/** A piece with all the builds that it needs (`builds`), and those that it directly waits for (`after`). */
export interface PredictedPiece extends TaskTimes {
  /** Missing: all have the same. */
  readonly task?: string;
  readonly part: readonly [number, number] | null;
  readonly fresh: boolean;
  readonly builds: readonly number[];
  readonly after: readonly number[];
}

/** Returns the seconds that a task adds to the load of a machine that runs other tasks at the same time. */
export function shareOf({ seconds, cpuSeconds }: TaskTimes, { cores, concurrency }: Machine): number {
  return Math.max(seconds / concurrency, Math.min(seconds, cpuSeconds / cores));
}

/** Returns the seconds of a machine for pieces, one call of turborepo after the other. A build is made in the first call that needs it. */
export function predictShard(pieces: readonly PredictedPiece[], builds: readonly PredictedBuild[], machine: Machine): number {
  const built = new Set<number>();
  let seconds = 0;
  for (const call of callsOf(pieces)) {
    const missing = [...new Set(call.pieces.flatMap((piece) => piece.builds))].filter((build) => !built.has(build));
    for (const build of missing) built.add(build);
    seconds += expected(tasksOf(call.pieces, builds, missing), machine);
  }
  return seconds;
}

/** Returns the tasks of one call, on a machine without any results. */
function tasksOf(
  pieces: readonly PredictedPiece[],
  builds: readonly PredictedBuild[],
  missing: readonly number[],
): readonly SimulatedTask[] {
  const places = new Map(missing.map((build, place) => [build, place]));
  const placesOf = (after: readonly number[]): readonly number[] => after.flatMap((build) => places.get(build) ?? []);
  const made = missing.flatMap((build) => builds[build] ?? []);
  return [...made, ...pieces].map(({ seconds, cpuSeconds, after }) => ({ seconds, cpuSeconds, after: placesOf(after) }));
}

/**
 * turborepo begins ready tasks in another order each time, and few orders differ much from the mean of all. More tasks differ less, and take
 * longer to simulate (decision 0030).
 */
const MOST_ORDERS = 32;
const TASKS_OF_ALL_ORDERS = 1600;

/** Returns the mean over some orders. */
function expected(tasks: readonly SimulatedTask[], machine: Machine): number {
  const orders = Math.max(1, Math.min(MOST_ORDERS, Math.floor(TASKS_OF_ALL_ORDERS / tasks.length)));
  let seconds = 0;
  for (let order = 0; order < orders; order++) seconds += simulate(scattered(tasks, order), machine);
  return seconds / orders;
}

/** Permutes the tasks, always in the same way for the same number. */
function scattered(tasks: readonly SimulatedTask[], order: number): readonly SimulatedTask[] {
  const keys = tasks.map((_, place) => ((place + 1) * STEP + (order + 1) * (place + 1) * (place + 7) * OTHER_STEP) % 1);
  const places = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  const newPlaces = new Int32Array(tasks.length);
  for (const [at, place] of places.entries()) newPlaces[place] = at;
  return places.flatMap((place) => {
    const task = tasks[place];
    return task === undefined ? [] : [{ ...task, after: task.after.map((other) => newPlaces[other] ?? 0) }];
  });
}

// The fractional parts of multiples of such numbers fill the range from 0 to 1 evenly.
const STEP = 0.7548776662466927;
const OTHER_STEP = 0.5698402909980532;
