import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chanceOfDifference } from './rates.js';

// The expected values are from R: binom.test(k1, k1 + k2, t1 / (t1 + t2)), twice the smaller tail.
test.each<[before: readonly [number, number], after: readonly [number, number], expected: number]>([
  [[0, 1], [0, 1], 1],
  [[5, 1], [5, 1], 1],
  [[5, 1], [0, 1], 0.0625],
  [[6, 1], [0, 1], 0.03125],
  [[10, 2], [0, 1], 2 * (2 / 3) ** 10],
  [[1, 1], [9, 1], (2 * 11) / 1024],
])('%p and %p', ([n, time], [other, otherTime], expected) => {
  expect(chanceOfDifference({ n, time }, { n: other, time: otherTime })).toBeCloseTo(expected, 10);
});

test('it is a chance, whichever of the two comes first, and large counts are no matter', () => {
  const counted = fc.record({ n: fc.integer({ min: 0, max: 300 }), time: fc.double({ min: 0.1, max: 1000, noNaN: true }) });
  fc.assert(
    fc.property(counted, counted, (one, other) => {
      const chance = chanceOfDifference(one, other);
      expect(chance).toBeGreaterThanOrEqual(0);
      expect(chance).toBeLessThanOrEqual(1);
      expect(chanceOfDifference(other, one)).toBeCloseTo(chance, 9);
    }),
    { numRuns: 30 },
  );
});
