import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percentile, weightedPercentiles } from './percentile.js';

const NUMBERS = fc
  .array(fc.double({ min: 0, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 60 })
  .map((list) => [...list].sort((a, b) => a - b));
const SHARE = fc.double({ min: 0, max: 1, noNaN: true });

test('a percentile between two values lies on the line between them', () => {
  expect(percentile([10, 20], 0.5)).toBe(15);
  expect(percentile([1, 2, 3, 4], 0.9)).toBeCloseTo(3.7, 12);
  expect(percentile([9, 18.1, 54], 0.5)).toBe(18.1);
  expect(percentile([7], 0.9)).toBe(7);
  expect(percentile([], 0.5)).toBeUndefined();
});

test('the nearest rank is a value that occurred', () => {
  expect(percentile([10, 20], 0.5, 'nearest')).toBe(10);
  expect(percentile([1, 2, 3, 4], 0.9, 'nearest')).toBe(4);
  expect(percentile([1, 2, 3, 4], 0, 'nearest')).toBe(1);
  fc.assert(fc.property(NUMBERS, SHARE, (sorted, p) => sorted.includes(percentile(sorted, p, 'nearest') ?? Number.NaN)));
});

test('a percentile lies among the values, and grows with its share', () => {
  fc.assert(
    fc.property(NUMBERS, SHARE, SHARE, (sorted, p, q) => {
      const [low, high] = [percentile(sorted, Math.min(p, q)) ?? Number.NaN, percentile(sorted, Math.max(p, q)) ?? Number.NaN];
      return (sorted[0] ?? 0) <= low && low <= high && high <= (sorted.at(-1) ?? 0);
    }),
  );
});

test('a weight counts as so many equal values', () => {
  const weighted = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4 })), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(weighted, SHARE, SHARE, fc.constantFrom('linear' as const, 'nearest' as const), (pairs, p, q, method) => {
      const sorted = [...pairs].sort(([a], [b]) => a - b);
      const repeated = sorted.flatMap(([value, weight]) => Array<number>(weight).fill(value));
      const ps = [Math.min(p, q), Math.max(p, q)];
      // Every value is a cluster of its own.
      const found = weightedPercentiles(
        {
          values: Float64Array.from(sorted, ([value]) => value),
          clusterOf: Uint32Array.from(sorted.keys()),
          times: Uint32Array.from(sorted, ([, weight]) => weight),
          sizes: new Uint32Array(sorted.length).fill(1),
        },
        ps,
        method,
      );
      expect(found).toEqual(repeated.length === 0 ? undefined : ps.map((one) => percentile(repeated, one, method)));
    }),
  );
});
