/** How a percentile that falls between two values is found. `linear`: type 7 of Hyndman and Fan, as DuckDB's `quantile_cont`; `nearest`: the nearest rank, always a value that occurred. */
export type PercentileMethod = 'linear' | 'nearest';

/** Values in ascending order, each with how often it counts; both of the same length. */
export interface WeightedValues {
  readonly values: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** The percentile `p` (0 to 1) of values in ascending order; `undefined` for none. */
export function percentile(sorted: ArrayLike<number>, p: number, method: PercentileMethod = 'linear'): number | undefined {
  const place = placeOf(sorted.length, p, method);
  const low = sorted[place.rank];
  const high = sorted[Math.min(place.rank + 1, sorted.length - 1)];
  return low === undefined || high === undefined ? undefined : interpolate(low, high, place.share);
}

/** The percentiles `ps` (ascending) of values that count several times, as if each stood there as often as its weight says; `undefined` where all weights are 0. */
export function weightedPercentiles(
  { values, weights }: WeightedValues,
  ps: readonly number[],
  method: PercentileMethod = 'linear',
): number[] | undefined {
  let total = 0;
  for (let at = 0; at < weights.length; at++) total += weights[at] ?? 0;
  if (total === 0) return undefined;
  const found: number[] = [];
  let at = 0;
  let upTo = weights[0] ?? 0; // how many count up to and with `at`
  const advance = (rank: number): number => {
    while (upTo <= rank) upTo += weights[++at] ?? 0;
    return values[at] ?? 0;
  };
  for (const p of ps) {
    const place = placeOf(total, p, method);
    const low = advance(place.rank);
    const isLast = place.share === 0 || upTo > place.rank + 1;
    found.push(isLast ? low : interpolate(low, nextValue(values, weights, at), place.share));
  }
  return found;
}

function nextValue(values: ArrayLike<number>, weights: ArrayLike<number>, at: number): number {
  let next = at + 1;
  while (weights[next] === 0) next++;
  return values[next] ?? 0;
}

/** The rank, from 0, below the percentile, and how far it lies on the way to the next. */
function placeOf(count: number, p: number, method: PercentileMethod): { readonly rank: number; readonly share: number } {
  if (method === 'nearest') return { rank: Math.max(0, Math.ceil(p * count) - 1), share: 0 };
  const exact = (count - 1) * p;
  const rank = Math.floor(exact);
  return { rank, share: exact - rank };
}

/** Never outside of the two, whatever is rounded. */
function interpolate(low: number, high: number, share: number): number {
  return share === 0 ? low : low + (high - low) * share;
}
