import type { Machine } from './machine.js';
import { paceOf, stretchOf } from './processors.js';

/** A task that a machine runs. */
export interface SimulatedTask {
  /** What it takes alone on the machine. */
  readonly seconds: number;
  /** Processor time. */
  readonly cpuSeconds: number;
  /** Places of the tasks that must be done before it. */
  readonly after: readonly number[];
}

/** What is under way. */
interface Running {
  readonly place: number;
  readonly want: number;
  /** Seconds that it would still take alone. */
  left: number;
}

/**
 * How many seconds a machine takes for tasks, if it begins each as soon as one of its places is free and all before it are done: those that
 * are ready first come first, and of those that are ready at once the first in the list. Tasks that wait for each other in a circle are left out.
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

/** Those of the waiting that wait for nothing more, now that one of the tasks before them is done. */
function freed(waiting: readonly number[], missing: number[]): readonly number[] {
  return waiting.filter((place) => {
    missing[place] = (missing[place] ?? 0) - 1;
    return missing[place] === 0;
  });
}

/** What is left of a task by rounding alone. */
const ROUNDING = 1e-9;

function begin(tasks: readonly SimulatedTask[], place: number, cores: number): Running {
  const { seconds = 0, cpuSeconds = 0 } = tasks[place] ?? {};
  return { place, left: seconds, want: seconds === 0 ? 0 : Math.min(cores, cpuSeconds / seconds) };
}

/** By place: the tasks that wait for a task. */
function waitersOf(tasks: readonly SimulatedTask[]): readonly (readonly number[])[] {
  const waiting = tasks.map((): number[] => []);
  for (const [place, { after }] of tasks.entries()) for (const other of after) waiting[other]?.push(place);
  return waiting;
}
