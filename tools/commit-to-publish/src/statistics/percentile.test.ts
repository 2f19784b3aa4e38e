import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestRank, percentile } from './percentile.js';

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
  expect(nearestRank([10, 20], 0.5)).toBe(10);
  expect(nearestRank([1, 2, 3, 4], 0.9)).toBe(4);
  expect(nearestRank([1, 2, 3, 4], 0)).toBe(1);
  fc.assert(fc.property(NUMBERS, SHARE, (sorted, p) => sorted.includes(nearestRank(sorted, p) ?? Number.NaN)));
});

test('a percentile lies among the values, and grows with its share', () => {
  fc.assert(
    fc.property(NUMBERS, SHARE, SHARE, (sorted, p, q) => {
      const [low, high] = [percentile(sorted, Math.min(p, q)) ?? Number.NaN, percentile(sorted, Math.max(p, q)) ?? Number.NaN];
      return (sorted[0] ?? 0) <= low && low <= high && high <= (sorted.at(-1) ?? 0);
    }),
  );
});
