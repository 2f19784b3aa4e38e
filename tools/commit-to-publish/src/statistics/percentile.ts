/** How a percentile that falls between two values is found. `linear`: type 7 of Hyndman and Fan, as DuckDB's `quantile_cont`; `nearest`: the nearest rank, always a value that occurred. */
export type PercentileMethod = 'linear' | 'nearest';

/** Values in ascending order, each of which counts as often as its cluster. */
interface WeightedValues {
  readonly values: Float64Array;
  /** The cluster of each value, from 0. */
  readonly clusterOf: Uint32Array;
  /** How often each cluster counts. */
  readonly times: Uint32Array;
  /** How many values each cluster has. */
  readonly sizes: Uint32Array;
}

/** The percentile `p` (0 to 1) of values in ascending order; `undefined` for none. */
export function percentile(sorted: ArrayLike<number>, p: number, method: PercentileMethod = 'linear'): number | undefined {
  const place = placeOf(sorted.length, p, method);
  const low = sorted[place.rank];
  const high = sorted[Math.min(place.rank + 1, sorted.length - 1)];
  return low === undefined || high === undefined ? undefined : interpolate(low, high, place.share);
}

/** The percentiles `ps` (ascending) of values that count several times, as if each stood there as often as its cluster counts; `undefined` where none counts. */
export function weightedPercentiles(
  sample: WeightedValues,
  ps: readonly number[],
  method: PercentileMethod = 'linear',
): number[] | undefined {
  const { values, clusterOf, times, sizes } = sample;
  let total = 0;
  for (let cluster = 0; cluster < times.length; cluster++) total += (times[cluster] ?? 0) * (sizes[cluster] ?? 0);
  if (total === 0) return undefined;
  const found: number[] = [];
  let at = -1;
  let upTo = 0; // how many count up to and with `at`
  for (const p of ps) {
    const { rank, share } = placeOf(total, p, method);
    while (upTo <= rank) upTo += times[clusterOf[++at] ?? 0] ?? 0;
    const low = values[at] ?? Number.NaN;
    const isLast = share === 0 || upTo > rank + 1;
    found.push(isLast ? low : interpolate(low, nextValue(sample, at), share));
  }
  return found;
}

function nextValue({ values, clusterOf, times }: WeightedValues, at: number): number {
  let next = at + 1;
  while (times[clusterOf[next] ?? 0] === 0) next++;
  return values[next] ?? Number.NaN;
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
