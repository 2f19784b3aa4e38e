import { betaShare } from './beta.js';

/** How often something happened, in which time; the times of two in the same unit. */
export interface Counted {
  readonly n: number;
  readonly time: number;
}

/**
 * How likely two counts are to differ as much as they do, or more, though nothing changed: two-sided and exact, for given the sum the one is
 * binomial. 1 where nothing was counted.
 */
export function chanceOfDifference(before: Counted, after: Counted): number {
  const all = before.n + after.n;
  const share = before.time / (before.time + after.time);
  return Math.min(1, 2 * Math.min(atMost(before.n, all, share), atMost(after.n, all, 1 - share)));
}

/** The chance of `k` or fewer of `n`, each with the chance `p`. */
function atMost(k: number, n: number, p: number): number {
  return k >= n ? 1 : betaShare(n - k, k + 1, 1 - p);
}
