import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Splittable, splitLong } from './split.js';

const long: Splittable = { item: { name: '@acme/ui', seconds: 60, builds: [1, 2] }, canSplit: 'yes', mostParts: 10 };

function secondsOf(one: Splittable, target: number): readonly number[] {
  return splitLong([one], target).map(({ item }) => item.seconds);
}

describe('what is longer than the target', () => {
  test('is cut into parts of one length, with all the builds, to be kept apart', () => {
    const item = { seconds: 30, builds: [1, 2], apart: '@acme/ui' };
    expect(splitLong([long], 40)).toEqual([
      { item: { ...item, name: '@acme/ui (1 of 2)' }, of: '@acme/ui', part: [1, 2] },
      { item: { ...item, name: '@acme/ui (2 of 2)' }, of: '@acme/ui', part: [2, 2] },
    ]);
  });

  test.each<[target: number, parts: readonly number[]]>([
    [60, [60]],
    [59.9, [30, 30]],
    [30, [30, 30]],
    [20, [20, 20, 20]],
    [1, Array.from({ length: 10 }, () => 6)],
    [0, Array.from({ length: 10 }, () => 6)],
    [-5, Array.from({ length: 10 }, () => 6)],
    [Number.POSITIVE_INFINITY, [60]],
  ])('a target of %d s: %j', (target, parts) => {
    expect(secondsOf(long, target)).toEqual(parts);
  });

  test('rounding makes no part more', () => {
    expect(2.1 / 0.3).toBeGreaterThan(7);
    expect(secondsOf({ ...long, item: { ...long.item, seconds: 2.1 } }, 0.3)).toHaveLength(7);
  });

  test('stays whole where it cannot be cut', () => {
    const whole = [{ item: long.item, of: '@acme/ui', part: null }];
    expect(splitLong([{ ...long, canSplit: 'no' }], 1)).toEqual(whole);
    expect(splitLong([{ ...long, mostParts: 1 }], 1)).toEqual(whole);
    expect(splitLong([{ ...long, mostParts: 0 }], 1)).toEqual(whole);
    expect(splitLong([{ ...long, mostParts: 1.9 }], 1)).toEqual(whole);
  });
});

test('the parts of each make the whole, are no longer than the target if they may be cut so far, and have names of their own', () => {
  const splittables = fc.array(
    fc.record({ seconds: fc.double({ min: 1e-9, max: 1e9, noNaN: true }), canSplit: fc.constantFrom('yes', 'no'), mostParts: fc.nat(30) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(splittables, fc.double({ min: -1, max: 1000, noNaN: true }), (list, target) => {
      const items = list.map(({ seconds, ...how }, at): Splittable => ({ ...how, item: { name: `p${at}`, seconds, builds: [] } }));
      const parts = splitLong(items, target);
      expect(new Set(parts.map(({ item }) => item.name)).size).toBe(parts.length);
      for (const { item, canSplit, mostParts } of items) {
        const own = parts.filter((part) => part.of === item.name);
        expect(own.map(({ part }) => part)).toEqual(own.length === 1 ? [null] : own.map((_, at) => [at + 1, own.length]));
        expect(own.length).toBeLessThanOrEqual(canSplit === 'yes' ? Math.max(1, mostParts) : 1);
        const sum = own.reduce((total, part) => total + part.item.seconds, 0);
        expect(Math.abs(sum - item.seconds)).toBeLessThanOrEqual(item.seconds * 1e-9);
        if (canSplit === 'yes' && own.length < mostParts && target > 0)
          expect(own[0]?.item.seconds).toBeLessThanOrEqual(target * (1 + 1e-6));
      }
    }),
  );
});
