import { betaShare } from './beta.js';
import { countUpTo, type Releases } from './releases.js';

/** Ends that are infinite are null in JSON. */
export interface Interval {
  /** @unknown is null */
  readonly low: number;
  /** @unknown is null */
  readonly high: number;
}

/** With fewer releases, all lie on one side of the true P50 in more than one of twenty cases: 2 x 0.5^5 > 0.05. */
export const LEAST_RELEASES = 6;

/**
 * The most independent facts that count for each release. It also limits releases whose changes differ as if they were independent: few
 * releases cannot show that. It is the largest value with which every interval covers in `bench:publish --coverage` (decision 0035).
 */
const FACTS_PER_RELEASE = 4 / 3;

/** Half of the 5 % outside a 95 % interval. */
const TAIL = 0.025;
const Z = 1.959964;

/**
 * Returns a 95 % interval for each percentile (0 to 1), or `undefined` if there are too few releases to bound it on both sides.
 * It estimates the number of independent facts, of which a release has few. It then takes the ranks that a binomial count of that many
 * facts allows (Korn and Graubard 1998, as R's `svyquantile` with `beta`). It is deterministic, and the order of the values does not
 * matter.
 */
export function releaseIntervals(releases: Releases, percentiles: readonly number[]): readonly (Interval | undefined)[] {
  if (releases.sizes.length < LEAST_RELEASES) return percentiles.map(() => undefined);
  const atMedian = varianceAt(releases, 0.5);
  return percentiles.map((share) => {
    const variance = share === 0.5 ? atMedian : Math.max(atMedian, varianceAt(releases, share));
    return intervalOf(releases.values, share, factsOf(releases, variance));
  });
}

/**
 * Returns the number of independent facts that the changes are worth. `variance` is the variance of a share, divided by that of a single
 * fact.
 */
function factsOf({ values, sizes }: Releases, variance: number): number {
  const squares = sizes.reduce((sum, size) => sum + size * size, 0);
  // Fewer releases give a less certain variance, so Student's t replaces the normal distribution.
  const known = (Z / studentsT(sizes.length - 1)) ** 2 / variance;
  return Math.min(values.length, (FACTS_PER_RELEASE * values.length ** 2) / squares, known);
}

/**
 * Returns the variance of the share of changes up to a percentile. It is estimated from the differences between releases and divided by
 * that of one independent fact. 0 if all values are equal.
 */
function varianceAt({ values, releaseOf, sizes }: Releases, share: number): number {
  const n = values.length;
  const upTo = countUpTo(values, values[Math.max(0, Math.ceil(share * n) - 1)] ?? 0);
  const counts = new Float64Array(sizes.length);
  for (let at = 0; at < upTo; at++) counts[releaseOf[at] ?? 0] = (counts[releaseOf[at] ?? 0] ?? 0) + 1;
  const found = upTo / n;
  const squares = counts.reduce((sum, count, release) => sum + (count - found * (sizes[release] ?? 0)) ** 2, 0);
  const releases = sizes.length;
  return found === 1 ? 0 : (squares * releases) / (releases - 1) / n ** 2 / (found * (1 - found));
}

function intervalOf(sorted: Float64Array, share: number, facts: number): Interval | undefined {
  const [low, high] = [lowerShare(share, facts), upperShare(share, facts)];
  if (low === undefined || high === undefined) return undefined;
  const n = sorted.length;
  const at = (rank: number): number => sorted[Math.min(n - 1, Math.max(0, rank))] ?? Number.NaN;
  return { low: at(Math.floor(low * n)), high: at(Math.ceil(high * n) - 1) };
}

/** Returns the smallest share of values up to a point for which the percentile cannot lie beyond that point. */
function upperShare(share: number, facts: number): number | undefined {
  const chance = (found: number): number => betaShare(facts * found, facts * (1 - found) + 1, share);
  return chance(1) > TAIL ? undefined : bisect(share, 1, (found) => chance(found) <= TAIL);
}

/** Mirrors `upperShare`: above the percentile `p` lies `1 - p`. */
function lowerShare(share: number, facts: number): number | undefined {
  const found = upperShare(1 - share, facts);
  return found === undefined ? undefined : 1 - found;
}

const STEPS = 40;

function bisect(from: number, to: number, isEnough: (share: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5); correct to 0.1 % from 5 degrees of freedom on. */
function studentsT(freedom: number): number {
  const terms = [
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
    (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / 92160,
  ];
  return terms.reduce((sum, term, at) => sum + term / freedom ** (at + 1), Z);
}
