import { median, type Timings } from '../timings/timings.js';
import type { PredictedBuild, TaskTimes } from './predict-shard.js';
import type { TaskId, Upstream } from './upstream.js';

/** The builds that pieces need, each with a number. */
export class Builds {
  /** By number. */
  readonly times: TaskTimes[] = [];
  private readonly numbers = new Map<TaskId, number>();
  private readonly timings: Timings;
  private readonly cpuSeconds: Timings;

  constructor(timings: Timings, cpuSeconds: Timings) {
    this.timings = timings;
    this.cpuSeconds = cpuSeconds;
  }

  /** Whether any task could take time. */
  get areTimed(): boolean {
    return this.timings.size > 0;
  }

  /** Returns the numbers of the builds that take time. */
  numbersOf(tasks: readonly TaskId[]): readonly number[] {
    return tasks.map((id) => this.numbers.get(id) ?? this.number(id)).filter((number) => number !== NO_TIME);
  }

  /** Returns the numbered builds, each with those that it waits for. */
  inOrder(upstream: Upstream): readonly PredictedBuild[] {
    const known = this.known();
    return [...known].flatMap((id) => {
      const times = this.times[this.numbers.get(id) ?? NO_TIME];
      return times === undefined ? [] : [{ ...times, after: this.numbersOf(upstream.nearestOf(id, known)) }];
    });
  }

  /** Returns the builds that take time, by number. */
  known(): ReadonlySet<TaskId> {
    return new Set([...this.numbers].filter(([, number]) => number !== NO_TIME).map(([id]) => id));
  }

  private number(id: TaskId): number {
    // 0 if unknown: an unknown build must not outweigh a known test.
    const seconds = median(this.timings.get(id) ?? []) ?? 0;
    const cpuSeconds = median(this.cpuSeconds.get(id) ?? []) ?? seconds;
    const number = seconds === 0 ? NO_TIME : this.times.push({ seconds, cpuSeconds }) - 1;
    this.numbers.set(id, number);
    return number;
  }
}

const NO_TIME = -1;
