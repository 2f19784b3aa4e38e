/**
 * How to compute a percentile that falls between two values.
 * `linear`: type 7 of Hyndman and Fan, as DuckDB's `quantile_cont`. `nearest`: the nearest rank, always a value that occurred.
 */
export type PercentileMethod = 'linear' | 'nearest';

/** Returns the percentile `p` (0 to 1) of ascending values; `undefined` if there are none. */
export function percentile(sorted: ArrayLike<number>, p: number, method: PercentileMethod = 'linear'): number | undefined {
  const position = positionOf(sorted.length, p, method);
  const low = sorted[position.rank];
  const high = sorted[Math.min(position.rank + 1, sorted.length - 1)];
  return low === undefined || high === undefined ? undefined : interpolate(low, high, position.share);
}

/** Returns the rank below the percentile, from 0, and the fraction of the way to the next rank. */
function positionOf(count: number, p: number, method: PercentileMethod): { readonly rank: number; readonly share: number } {
  if (method === 'nearest') return { rank: Math.max(0, Math.ceil(p * count) - 1), share: 0 };
  const exact = (count - 1) * p;
  const rank = Math.floor(exact);
  return { rank, share: exact - rank };
}

/** Never outside the two values, whatever the rounding. */
function interpolate(low: number, high: number, share: number): number {
  return share === 0 ? low : low + (high - low) * share;
}
