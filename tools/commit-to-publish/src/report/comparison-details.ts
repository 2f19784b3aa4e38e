import type { Micros } from '../model/event.js';
import { percentile } from '../statistics/percentile.js';
import type { SlowChange } from './details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';
import { startOfWeek, WEEK, weekOf } from './question.js';

/** A change of one side, for one package and, if the question ends there, one consumer. */
export type SideChange = SlowChange;

/** Additional content of the page of a comparison. */
export interface ComparisonDetails {
  readonly before: readonly SideChange[];
  readonly after: readonly SideChange[];
  /** The first lines of commit messages, by commit, if a clone has the commit. */
  readonly subjects: ReadonlyMap<string, string>;
}

const SLOWEST = 10;

/** Returns the ten changes with the longest lead times, slowest first. */
export function slowestOf(changes: readonly SideChange[]): readonly SideChange[] {
  return [...changes].sort((a, b) => b.total - a.total || (a.change < b.change ? -1 : 1)).slice(0, SLOWEST);
}

/** The number of weeks in a point. */
const WEEKS_OF_POINT = 6;

export interface WeekPoint {
  readonly endsAt: Micros;
  readonly n: number;
  /** `undefined` if n is too small. */
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  /** The number of changes of which only a lower bound is known. */
  readonly atLeast: number;
}

/** Returns a point for each week from the first change to the last one. Each covers the six weeks up to its end. */
export function weeksOf(changes: readonly SideChange[]): readonly WeekPoint[] {
  const weeks = changes.map(({ endedAt }) => weekOf(endedAt));
  const [first, last] = [weeks.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY), weeks.reduce((a, b) => Math.max(a, b), 0)];
  return changes.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => pointOf(changes, startOfWeek(first + at + 1)));
}

function pointOf(changes: readonly SideChange[], endsAt: Micros): WeekPoint {
  const own = changes.filter((change) => change.endedAt < endsAt && change.endedAt >= endsAt - WEEKS_OF_POINT * WEEK);
  return { endsAt, n: own.length, ...percentilesOf(own) };
}

/** Returns P50 and P90; `undefined` for each that has too few changes. */
export function percentilesOf(changes: readonly SideChange[]): Pick<WeekPoint, 'p50' | 'p90' | 'atLeast'> {
  const values = Float64Array.from(changes, ({ total }) => total).sort();
  const n = values.length;
  return {
    p50: n < LEAST_FOR_P50 ? undefined : percentile(values, 0.5),
    p90: n < LEAST_FOR_P90 ? undefined : percentile(values, 0.9),
    atLeast: changes.reduce((sum, { atLeast }) => sum + atLeast, 0),
  };
}

/** A bar of a distribution: the share of a side's changes that took between `from` and `to`, in microseconds. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

const BINS_PER_DECADE = 4;
const MINUTE = 60e6;

/**
 * Returns the shares of changes by length, in logarithmic bins from one minute; the first also holds shorter ones. All sides have the same
 * bins.
 */
export function binsOf(changes: readonly SideChange[]): readonly Bin[] {
  const binOf = (total: number): number => Math.floor(BINS_PER_DECADE * Math.log10(Math.max(total, MINUTE) / MINUTE));
  const counts = new Map<number, number>();
  for (const { total } of changes) counts.set(binOf(total), (counts.get(binOf(total)) ?? 0) + 1);
  const edge = (bin: number): number => MINUTE * 10 ** (bin / BINS_PER_DECADE);
  return [...counts].sort(([a], [b]) => a - b).map(([bin, n]) => ({ from: edge(bin), to: edge(bin + 1), share: n / changes.length }));
}
