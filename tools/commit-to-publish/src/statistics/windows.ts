import { percentile } from './percentile.js';

/** How many there are of something in a week. */
export interface WeekCount {
  readonly week: number;
  readonly n: number;
}

/** Returns how many there are in the weeks from `from` to before `to`. */
export function countWithin(counts: readonly WeekCount[], { from, to }: { readonly from: number; readonly to: number }): number {
  return counts.reduce((sum, { week, n }) => sum + (week >= from && week < to ? n : 0), 0);
}

/** Values of several groups, as columns of the same length. */
interface TimedValues {
  /** From 0. */
  readonly group: ArrayLike<number>;
  /** The week in which each counts, numbered from 0. */
  readonly week: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

/** A trailing window: one week with the weeks before it. */
export interface Point {
  /** The last week of the window. */
  readonly week: number;
  readonly n: number;
  /** One for each requested percentile; empty if nothing happened. */
  readonly percentiles: readonly number[];
}

interface WindowOptions {
  readonly groups: number;
  readonly weeks: number;
  /** The length of a window in weeks; the first windows are shorter. */
  readonly length: number;
  readonly percentiles: readonly number[];
}

/**
 * Returns for every group one point per week, over that week and those before it. A change counts in the week in which it ended, so past
 * points never move.
 */
export function trailingPoints(values: TimedValues, options: WindowOptions): readonly (readonly Point[])[] {
  const { groups, weeks, length, percentiles } = options;
  const { starts, sorted } = byGroupAndWeek(values, options);
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: weeks }, (__, week): Point => {
      const first = group * weeks + Math.max(0, week - length + 1);
      // The weeks of a group are adjacent.
      const window = sorted.slice(starts[first], starts[group * weeks + week + 1]).sort();
      return {
        week,
        n: window.length,
        percentiles: window.length === 0 ? [] : percentiles.map((p) => percentile(window, p) ?? Number.NaN),
      };
    }),
  );
}

interface Buckets {
  /** The first index of each group and week, ordered by group and then week; one more entry for the end. */
  readonly starts: Uint32Array;
  readonly sorted: Float64Array;
}

/** Sorts by counting, so that the values of a group and a week are adjacent. */
function byGroupAndWeek({ group, week, value }: TimedValues, { groups, weeks }: WindowOptions): Buckets {
  const bucketOf = (at: number): number => (group[at] ?? 0) * weeks + (week[at] ?? 0);
  const starts = new Uint32Array(groups * weeks + 1);
  for (let at = 0; at < value.length; at++) starts[bucketOf(at) + 1] = (starts[bucketOf(at) + 1] ?? 0) + 1;
  for (let bucket = 0; bucket < groups * weeks; bucket++) starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
  const next = starts.slice();
  const sorted = new Float64Array(value.length);
  for (let at = 0; at < value.length; at++) {
    const position = next[bucketOf(at)] ?? 0;
    sorted[position] = value[at] ?? 0;
    next[bucketOf(at)] = position + 1;
  }
  return { starts, sorted };
}
