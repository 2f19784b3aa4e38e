import type { Machine } from './machine.js';
import { paceOf, stretchOf } from './processors.js';

/** A task on a machine. */
export interface SimulatedTask {
  /** Its seconds alone on the machine. */
  readonly seconds: number;
  /** Processor time in seconds. */
  readonly cpuSeconds: number;
  /** Indexes of the tasks that must be done before it. */
  readonly after: readonly number[];
}

/** A running task. */
interface Running {
  readonly place: number;
  readonly want: number;
  /** The remaining seconds if it ran alone. */
  left: number;
}

/**
 * Returns the seconds of a machine for tasks, each begun as soon as a slot is free and its predecessors are done. Tasks that are ready
 * first begin first; at a tie, the first in the list. Tasks in a dependency cycle are omitted.
 */
export function simulate(tasks: readonly SimulatedTask[], { cores, concurrency }: Machine): number {
  const missing = tasks.map(({ after }) => after.length);
  const waiting = waitersOf(tasks);
  const ready = [...missing.keys()].filter((place) => missing[place] === 0);
  let running: Running[] = [];
  let now = 0;
  for (let next = 0; next < ready.length || running.length > 0; ) {
    while (running.length < concurrency && next < ready.length) running.push(begin(tasks, ready[next++] ?? 0, cores));
    const stretch = stretchOf(
      running.map(({ want }) => want),
      cores,
    );
    let step = Number.POSITIVE_INFINITY;
    for (const one of running) step = Math.min(step, one.left / paceOf(one.want, stretch));
    now += step;
    const still: Running[] = [];
    for (const one of running) {
      one.left -= step * paceOf(one.want, stretch);
      if (one.left > ROUNDING * step) still.push(one);
      else ready.push(...freed(waiting[one.place] ?? [], missing));
    }
    running = still;
  }
  return now;
}

/** Returns the waiting tasks that are ready now that one predecessor is done. */
function freed(waiting: readonly number[], missing: number[]): readonly number[] {
  return waiting.filter((place) => {
    missing[place] = (missing[place] ?? 0) - 1;
    return missing[place] === 0;
  });
}

/** A remainder that is only rounding. */
const ROUNDING = 1e-9;

function begin(tasks: readonly SimulatedTask[], place: number, cores: number): Running {
  const { seconds = 0, cpuSeconds = 0 } = tasks[place] ?? {};
  return { place, left: seconds, want: seconds === 0 ? 0 : Math.min(cores, cpuSeconds / seconds) };
}

/** Returns by index the tasks that wait for a task. */
function waitersOf(tasks: readonly SimulatedTask[]): readonly (readonly number[])[] {
  const waiting = tasks.map((): number[] => []);
  for (const [place, { after }] of tasks.entries()) for (const other of after) waiting[other]?.push(place);
  return waiting;
}
