/**
 * Returns the percentile `p` (0 to 1) of ascending values, on the line between two of them: type 7 of Hyndman and Fan, as DuckDB's
 * `quantile_cont`. `undefined` if there are none.
 */
export function percentile(sorted: ArrayLike<number>, p: number): number | undefined {
  const exact = (sorted.length - 1) * p;
  const rank = Math.floor(exact);
  const [low, high] = [sorted[rank], sorted[rank + 1]];
  return low === undefined || high === undefined || exact === rank ? low : low + (high - low) * (exact - rank);
}

/** Returns the value at the nearest rank, which always occurred. */
export function nearestRank(sorted: ArrayLike<number>, p: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}
