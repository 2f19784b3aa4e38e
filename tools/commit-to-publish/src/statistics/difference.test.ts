import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand';
import { differenceOf, isRuledOut, numberBelow } from './difference.js';
import { type ClusteredValue, sortIntoReleases } from './releases.js';

const SHARE = 0.9;

function values(factor: number, releases = 50): readonly ClusteredValue[] {
  return Array.from({ length: 400 }, (_, at) => ({ value: factor * (1 + ((at * 7919) % 1000)), cluster: `r${at % releases}` }));
}

test('half the time is a change of -50 %, and its interval is around it', () => {
  const difference = differenceOf(values(2), values(1), SHARE);
  expect(difference?.change).toBeCloseTo(-0.5, 5);
  expect(difference?.interval?.low).toBeLessThan(-0.5);
  expect(difference?.interval?.high).toBeGreaterThan(-0.5);
  expect(difference?.interval?.high).toBeLessThan(-0.4);
});

test('the same values differ by nothing, and the interval says that it might be something', () => {
  const difference = differenceOf(values(1), values(1), SHARE);
  expect(difference?.change).toBe(0);
  expect(difference?.interval?.low).toBeLessThan(0);
  expect(difference?.interval?.high).toBeGreaterThan(0);
});

test('the other way round the interval is the other way round, but for its precision and the draws', () => {
  const [there, back] = [differenceOf(values(2), values(1), SHARE), differenceOf(values(1), values(2), SHARE)];
  const [low = 0, high = 0] = [there?.interval?.low, there?.interval?.high];
  expect(back?.interval?.low).toBeCloseTo(1 / (1 + high) - 1, 1);
  expect(back?.interval?.high).toBeCloseTo(1 / (1 + low) - 1, 1);
});

test('the order of the changes does not matter, the change lies in its interval, and zero outside of it or its border where it is ruled out', () => {
  const side = fc.array(
    fc.record({ value: fc.integer({ min: 1, max: 99 }), cluster: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') }),
    {
      minLength: 30,
      maxLength: 40,
    },
  );
  const shifted = fc
    .tuple(side, fc.integer({ min: 1, max: 3 }))
    .map(([all, factor]) => all.map((one) => ({ ...one, value: one.value * factor })));
  fc.assert(
    fc.property(side, shifted, (before, after) => {
      const found = differenceOf(before, after, 0.5);
      expect(differenceOf([...before].reverse(), [...after].reverse(), 0.5)).toEqual(found);
      if (found?.interval === undefined) return;
      expect(found.interval.low).toBeLessThanOrEqual(found.change);
      expect(found.interval.high).toBeGreaterThanOrEqual(found.change);
      const isChange = isRuledOut({ before: sortIntoReleases(before), after: sortIntoReleases(after), share: 0.5 }, 1);
      expect(found.interval.low < 0 && found.interval.high > 0).toBe(found.change === 0 || !isChange);
      if (found.interval.high < 0 || found.interval.low > 0) expect(isChange).toBe(true);
    }),
    { numRuns: 6 },
  );
});

test('equal percentiles are no change, also where the shares up to them differ for certain', () => {
  const side = (ones: number): readonly ClusteredValue[] =>
    Array.from({ length: 400 }, (_, at) => ({ value: at % 20 < ones ? 1 : 50, cluster: `r${at % 37}` }));
  const [before, after] = [side(11), side(20)];
  expect(isRuledOut({ before: sortIntoReleases(before), after: sortIntoReleases(after), share: 0.5 }, 1)).toBe(true);
  const found = differenceOf(before, after, 0.5);
  expect(found?.change).toBe(0);
  expect(found?.interval?.low).toBeLessThan(0);
  expect(found?.interval?.high).toBeGreaterThan(0);
});

test('without values on one side there is no difference, and with few releases or a figure of zero no interval', () => {
  expect(differenceOf([], values(1), SHARE)).toBeUndefined();
  expect(differenceOf(values(1), [], SHARE)).toBeUndefined();
  expect(differenceOf(values(1), values(0.01, 5), SHARE)?.interval).toBeUndefined();
  expect(differenceOf(values(1), values(0), SHARE)).toMatchObject({ change: -1, interval: undefined });
  expect(differenceOf(values(0), values(1), SHARE)).toMatchObject({ change: Number.POSITIVE_INFINITY, interval: undefined });
});

test('releases of one change before and of many after are no reason for a claim', () => {
  // Noise with a fixed seed: neither side takes longer, and all releases are alike.
  const noise = xoroshiro128plus(1);
  const draw = (releases: number, changes: number): readonly ClusteredValue[] =>
    Array.from({ length: releases * changes }, (_, at) => ({
      value: 1 + numberBelow(1000, noise) ** 2,
      cluster: `r${String(at % releases).padStart(2, '0')}`,
    }));
  const pairs = Array.from({ length: 60 }, () => ({
    before: sortIntoReleases(draw(30, 1)),
    after: sortIntoReleases(draw(30, 20)),
    share: 0.5,
  }));
  // The nominal share is 5 %. The plain difference of shares would claim 37 %.
  expect(pairs.filter((sides) => isRuledOut(sides, 1)).length).toBeLessThanOrEqual(6);
});
