import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { type Cost, fewestForBest, fewestWithin, mostWorthwhile, type Outlook } from './count.js';

/** A load that divides freely, except for its longest item. Each further machine adds `again` seconds to the total. */
function evenly(facts: {
  total: number;
  longest: number;
  setupSeconds: number;
  maxShards: number;
  again?: number;
}): Outlook & { asked: Set<number> } {
  const asked = new Set<number>();
  const costOf = (shards: number): Cost => {
    asked.add(shards);
    const all = facts.total + (shards - 1) * (facts.again ?? 0);
    return { makespan: Math.max(facts.longest, all / shards), machineSeconds: all + shards * facts.setupSeconds };
  };
  return { ...facts, costOf, roughCostOf: costOf, asked };
}

/** The builds that each machine repeats are no more than everything. Otherwise plans would get longer with more machines. */
const facts = fc
  .record({
    total: fc.integer({ min: 1, max: 5000 }),
    longest: fc.integer({ min: 0, max: 900 }),
    setupSeconds: fc.oneof(fc.nat(8), fc.nat(200)),
    maxShards: fc.integer({ min: 1, max: 60 }),
    again: fc.oneof(fc.nat(4), fc.nat(300)),
  })
  .map((given) => ({ ...given, again: Math.min(given.again, given.total) }));

function numbersUpTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

describe('the fewest shards within a time', () => {
  test('are the fewest', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: -10, max: 2000 }), (given, seconds) => {
        const outlook = evenly(given);
        const within = numbersUpTo(given.maxShards).filter((shards) => outlook.costOf(shards).makespan <= seconds);
        expect(fewestWithin(outlook, seconds)).toBe(within[0]);
      }),
    );
  });

  test('are mostly the first that is tried', () => {
    const outlook = evenly({ total: 4000, longest: 300, setupSeconds: 60, maxShards: 256 });
    expect(fewestWithin(outlook, 400)).toBe(10);
    expect([...outlook.asked]).toEqual([10]);
  });

  test('nothing is tried for a time that the longest item does not leave', () => {
    const outlook = evenly({ total: 4000, longest: 300, setupSeconds: 60, maxShards: 256 });
    expect(fewestWithin(outlook, 299)).toBeUndefined();
    expect([...outlook.asked]).toEqual([]);
  });
});

describe('the fewest shards for the best', () => {
  test.each<[makespans: readonly number[], shards: number]>([
    [[100, 50, 40, 40, 40], 3],
    [[100, 50, 40, 40, 39.9], 3],
    [[100, 50, 40, 40, 39], 5],
    [[7], 1],
  ])('of %j: %d', (makespans, shards) => {
    const costOf = (count: number): Cost => ({ makespan: makespans[count - 1] ?? 0, machineSeconds: 0 });
    const outlook = { setupSeconds: 1, longest: 0, total: makespans[0] ?? 0, costOf, roughCostOf: costOf };
    expect(fewestForBest({ ...outlook, maxShards: makespans.length })).toBe(shards);
  });
});

describe('where sketches are worse than plans', () => {
  const rough = (outlook: Outlook): Outlook => ({
    ...outlook,
    roughCostOf: (shards) => ({ ...outlook.costOf(shards), makespan: outlook.costOf(shards).makespan * 1.2 }),
  });

  test('the fewest are found all the same', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: -10, max: 2000 }), (given, seconds) => {
        const outlook = evenly(given);
        expect(fewestWithin(rough(outlook), seconds)).toBe(fewestWithin(outlook, seconds));
      }),
    );
  });

  test('what is worthwhile is decided by plans, among those that are close', () => {
    const makespans = [100, 50, 34];
    const costOf = (shards: number): Cost => ({ makespan: makespans[shards - 1] ?? 0, machineSeconds: 100 + shards * 10 });
    const roughCostOf = (shards: number): Cost => ({ ...costOf(shards), makespan: shards === 3 ? 70 : (makespans[shards - 1] ?? 0) });
    expect(mostWorthwhile({ maxShards: 3, setupSeconds: 10, longest: 20, total: 100, costOf, roughCostOf })).toBe(3);
  });
});

describe('the number that is worthwhile', () => {
  test('has the least of wall and machine time together, and is the least of those that have', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const outlook = evenly(given);
        const price = (shards: number): number => outlook.costOf(shards).makespan + outlook.costOf(shards).machineSeconds;
        const least = Math.min(...numbersUpTo(given.maxShards).map(price));
        const cheapest = numbersUpTo(given.maxShards).find((shards) => price(shards) <= least * (1 + 1e-9));
        expect(price(mostWorthwhile(outlook))).toBeLessThanOrEqual(least * (1 + 1e-8));
        expect(mostWorthwhile(outlook)).toBe(cheapest);
      }),
      { numRuns: cases(300) },
    );
  });

  test.each<[setupSeconds: number, shards: number]>([
    // One more than 8 saves 4000 / 72 = 56 seconds, one more than 7 saves 71.
    [60, 8],
    [72, 7],
    [3000, 1],
    [0, 20],
  ])('with a set-up of %d s is %d', (setupSeconds, shards) => {
    expect(mostWorthwhile(evenly({ total: 4000, longest: 0, setupSeconds, maxShards: 20 }))).toBe(shards);
  });

  test.each([1, 2, 3, 5, 8, 13, 21, 34])('of many, with a set-up of %d s, is found too', (setupSeconds) => {
    const outlook = evenly({ total: 100_000, longest: 0, setupSeconds, maxShards: 256 });
    const price = (shards: number): number => 100_000 / shards + setupSeconds * shards;
    const prices = numbersUpTo(256).map(price);
    expect(mostWorthwhile(outlook)).toBe(prices.indexOf(Math.min(...prices)) + 1);
  });

  test('goes on where one more saves nothing and two more do', () => {
    const makespans = [8, 8, 8, 2, 2];
    const costOf = (shards: number): Cost => ({ makespan: makespans[shards - 1] ?? 0, machineSeconds: 8 + shards });
    expect(mostWorthwhile({ maxShards: 5, setupSeconds: 1, longest: 2, total: 8, costOf, roughCostOf: costOf })).toBe(4);
  });

  test('is not found by trying all', () => {
    const outlook = evenly({ total: 100_000, longest: 100, setupSeconds: 20, maxShards: 256, again: 200 });
    mostWorthwhile(outlook);
    expect(outlook.asked.size).toBeLessThan(40);
  });
});
