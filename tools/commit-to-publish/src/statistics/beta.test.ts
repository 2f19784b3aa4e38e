import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { betaShare } from './beta.js';

/** Returns the probability of `k` or more of `n`, added up term by term. */
function atLeast(k: number, n: number, p: number): number {
  let sum = 0;
  for (let one = k; one <= n; one++) {
    let ways = 1;
    for (let i = 0; i < one; i++) ways *= (n - i) / (i + 1);
    sum += ways * p ** one * (1 - p) ** (n - one);
  }
  return sum;
}

test('for whole numbers it is a binomial tail', () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(59), fc.double({ min: 0.01, max: 0.99, noNaN: true }));
  fc.assert(
    fc.property(cases, ([n, below, p]) => {
      const k = 1 + (below % n);
      expect(betaShare(k, n - k + 1, p)).toBeCloseTo(atLeast(k, n, p), 9);
    }),
  );
});

// The expected values are from Simpson's rule with 200,000 steps, and from symmetry.
test.each<[a: number, b: number, x: number, expected: number]>([
  [0.5, 0.5, 0.5, 0.5],
  [2.5, 4, 0.3, 0.3521976],
  [36, 1, 0.9, 0.9 ** 36],
  [500, 500, 0.5, 0.5],
])('of %p, %p below %p', (a, b, x, expected) => expect(betaShare(a, b, x)).toBeCloseTo(expected, 6));

test('it grows from 0 to 1', () => {
  const shares = Array.from({ length: 101 }, (_, at) => betaShare(3.3, 7.7, at / 100));
  expect([shares[0], shares[100]]).toEqual([0, 1]);
  expect([...shares].sort((a, b) => a - b)).toEqual(shares);
});
