import { betaShare } from './beta.js';

/** A count of events and the time in which they happened; two that are compared use the same unit of time. */
export interface Counted {
  readonly n: number;
  readonly time: number;
}

/**
 * Returns the probability that two counts differ by at least this much although the rate did not change. The test is two-sided and exact:
 * given the sum, one count is binomial. 1 if nothing was counted.
 */
export function chanceOfDifference(before: Counted, after: Counted): number {
  const all = before.n + after.n;
  const share = before.time / (before.time + after.time);
  return Math.min(1, 2 * Math.min(atMost(before.n, all, share), atMost(after.n, all, 1 - share)));
}

/** Returns the chance of `k` or fewer successes in `n` trials, each with the chance `p`. */
function atMost(k: number, n: number, p: number): number {
  return k >= n ? 1 : betaShare(n - k, k + 1, 1 - p);
}
