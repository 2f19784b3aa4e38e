import { type Interval, releaseIntervals } from '../statistics/interval.js';
import { percentile } from '../statistics/percentile.js';
import { type ClusteredValue, type Releases, sortIntoReleases } from '../statistics/releases.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';
import type { Figure } from './report.js';

/** P50 and P90, each only if there are enough changes. */
export interface Figures {
  readonly p50: Figure | undefined;
  readonly p90: Figure | undefined;
}

/**
 * Returns P50 and P90 of changes, each with its interval if there are enough releases. Of lower bounds, each figure is a lower bound too, and
 * the upper end of its interval is infinite. `atLeast`: how many values are lower bounds.
 */
export function figuresOf(values: readonly ClusteredValue[], atLeast: number): Figures {
  return figuresOfReleases(sortIntoReleases(values), atLeast);
}

/** Returns the same for changes that are already sorted into releases. */
export function figuresOfReleases(releases: Releases, atLeast: number): Figures {
  const { values: sorted } = releases;
  const n = sorted.length;
  const intervals = n < LEAST_FOR_P50 ? undefined : releaseIntervals(releases, [0.5, 0.9]);
  const figure = (at: 0 | 1, { share, least }: { readonly share: number; readonly least: number }): Figure | undefined => {
    const value = percentile(sorted, share);
    const interval = intervals?.[at];
    const known = interval === undefined || atLeast === 0 ? interval : { ...interval, high: Number.POSITIVE_INFINITY };
    return n < least || value === undefined ? undefined : { value, interval: known };
  };
  return { p50: figure(0, { share: 0.5, least: LEAST_FOR_P50 }), p90: figure(1, { share: 0.9, least: LEAST_FOR_P90 }) };
}

/** Returns the interval of a figure if it bounds it on both sides. */
export function closedInterval(figure: Figure | undefined): Interval | undefined {
  return Number.isFinite(figure?.interval?.high) ? figure?.interval : undefined;
}
