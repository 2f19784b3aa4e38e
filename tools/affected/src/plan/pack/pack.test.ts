import { describe, expect, test } from '@jest/globals';
import { Dice } from '@tributary/test-repo/dice';
import fc from 'fast-check';
import type { Item, Load } from './item.js';
import { anyLoads, loadOf, longestFirst, namesIn, plainLoad, plainLoads, shortestOf } from './load.fixture.js';
import { lowerBound, type Packing, pack } from './pack.js';

const shardCounts = fc.integer({ min: 1, max: 9 });
/** The largest difference between sums of fractions in another order. */
const ROUNDING = 1 + 1e-9;

describe('every packing', () => {
  const law = (check: (load: Load, shards: number, packing: Packing) => void): void =>
    fc.assert(fc.property(anyLoads(14), shardCounts, (load, shards) => check(load, shards, pack(load, shards))));

  test('has every item exactly once, in no more shards than there are, none of them empty', () => {
    law(({ items }, shards, packing) => {
      expect(packing.shards.flat().toSorted((a, b) => a - b)).toEqual([...items.keys()]);
      expect(packing.shards.length).toBeLessThanOrEqual(shards);
      expect(packing.shards.every((shard) => shard.length > 0)).toBe(true);
    });
  });

  test('says what each shard takes: its items, and every build that one of them needs, once', () => {
    law((load, _, { shards, loads, makespan }) => {
      for (const [at, shard] of shards.entries()) expectSame(loads[at] ?? Number.NaN, loadOf(load, shard));
      expect(makespan).toBe(Math.max(0, ...loads));
      expect(Math.min(makespan, ...loads)).toBeGreaterThanOrEqual(0);
    });
  });

  test('is ordered: shards by load, then by their first name; items by length, then by name', () => {
    law(({ items }, _, { shards, loads }) => {
      expect(loads).toEqual([...loads].sort((a, b) => b - a));
      const first = (at: number): string => items[shards[at]?.[0] ?? -1]?.name ?? '';
      for (const [at, load] of loads.entries()) if (loads[at + 1] === load) expect(first(at) < first(at + 1)).toBe(true);
      for (const shard of shards) {
        const own = shard.map((place) => items[place]).filter((item): item is Item => item !== undefined);
        expect(own).toEqual([...own].sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1)));
      }
    });
  });

  test('is not shorter than the bound, and not longer than that of LPT', () => {
    law((load, shards, { makespan }) => {
      expect(makespan * ROUNDING).toBeGreaterThanOrEqual(lowerBound(load, shards));
      expect(makespan).toBeLessThanOrEqual(longestFirst(load, shards) * ROUNDING);
    });
  });

  test('is the same for any order of the items and of their builds, and each time', () => {
    const shuffled = anyLoads(14).chain((load) =>
      fc.tuple(fc.constant(load), fc.shuffledSubarray([...load.items.keys()], { minLength: load.items.length })),
    );
    fc.assert(
      fc.property(shuffled, shardCounts, ([load, order], shards) => {
        const items = order.flatMap((place) => load.items[place] ?? []).map((item) => ({ ...item, builds: item.builds.toReversed() }));
        const other = { ...load, items };
        const packing = pack(load, shards);
        const again = pack(other, shards);
        expect(namesIn(other, again)).toEqual(namesIn(load, packing));
        expect(again.loads).toEqual(packing.loads);
        expect(lowerBound(other, shards)).toBe(lowerBound(load, shards));
        expect(pack(load, shards)).toEqual(packing);
      }),
    );
  });

  test('grows with its items: twice the seconds, twice the makespan', () => {
    // A power of two, so that nothing is rounded.
    const twice = ({ items, buildSeconds }: Load): Load => ({
      items: items.map((item) => ({ ...item, seconds: item.seconds * 2 })),
      buildSeconds: buildSeconds.map((seconds) => seconds * 2),
    });
    law((load, shards, { makespan, ...rest }) => {
      const { makespan: doubled, ...other } = pack(twice(load), shards);
      expect(doubled).toBe(makespan * 2);
      expect(other.shards).toEqual(rest.shards);
    });
  });
});

describe('against the best there is', () => {
  test('the bound is never above it, the makespan never below', () => {
    fc.assert(
      fc.property(anyLoads(6), fc.integer({ min: 1, max: 4 }), (load, shards) => {
        const best = shortestOf(load, shards);
        expect(lowerBound(load, shards)).toBeLessThanOrEqual(best * ROUNDING);
        expect(pack(load, shards).makespan * ROUNDING).toBeGreaterThanOrEqual(best);
      }),
      { numRuns: 60 },
    );
  });

  test('without builds it is at most what LPT promises: 4/3 - 1/(3 m) of the best', () => {
    fc.assert(
      fc.property(plainLoads(7), fc.integer({ min: 1, max: 4 }), (load, shards) => {
        expect(pack(load, shards).makespan).toBeLessThanOrEqual(shortestOf(load, shards) * (4 / 3 - 1 / (3 * shards)) * ROUNDING);
      }),
      { numRuns: 60 },
    );
  });

  test.each<[what: string, load: Load, shards: number]>([
    ['where LPT is furthest off, 2 shards', plainLoad(3, 3, 2, 2, 2), 2],
    ['where LPT is furthest off, 3 shards', plainLoad(5, 5, 4, 4, 3, 3, 3), 3],
    ['where LPT is furthest off, 4 shards', plainLoad(7, 7, 6, 6, 5, 5, 4, 4, 4), 4],
    ['where only an exchange helps', plainLoad(8, 7, 6, 5, 4), 2],
    ['nearly the same', plainLoad(1.02, 1.01, 1, 0.99, 0.98, 0.97, 0.96), 3],
  ])('found: %s', (_, load, shards) => {
    expectSame(pack(load, shards).makespan, shortestOf(load, shards));
  });

  test('of 60 made-up loads it is found, or nearly', () => {
    const dice = new Dice(1);
    const ratios = Array.from({ length: 60 }, () => {
      const load = plainLoad(...Array.from({ length: 8 }, () => 10 + dice.below(90)));
      return pack(load, 3).makespan / shortestOf(load, 3);
    });
    expect(Math.max(...ratios)).toBeLessThan(1.1);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(1.01);
  });
});

describe('builds', () => {
  const load = (buildSeconds: readonly number[], ...items: readonly (readonly [seconds: number, builds: readonly number[]])[]): Load => ({
    items: items.map(([seconds, builds], at) => ({ name: String.fromCharCode(97 + at), seconds, builds })),
    buildSeconds,
  });

  test('are made once in a shard, however many need them', () => {
    const one = load([100], [1, [0]], [2, [0]], [3, [0]]);
    expect(pack(one, 1)).toEqual({ shards: [[2, 1, 0]], loads: [106], makespan: 106 });
  });

  test('bring those together that need the same', () => {
    const pairs = load([50, 50], [10, [0]], [10, [1]], [10, [0]], [10, [1]]);
    expect(namesIn(pairs, pack(pairs, 2))).toEqual(['a c', 'b d']);
    expect(pack(pairs, 2).makespan).toBe(70);
  });

  test('named twice count once', () => {
    expect(pack(load([5], [1, [0, 0]]), 1).makespan).toBe(6);
  });

  test('that cost nothing make no difference', () => {
    const free = load([0, 0], [3, [0]], [3, [0, 1]], [2, [1]], [2, []], [2, [0]]);
    const { items, ...rest } = free;
    const plain = { ...rest, items: items.map((item) => ({ ...item, builds: [] })) };
    expect(pack(free, 2)).toEqual(pack(plain, 2));
  });

  test('that one item alone needs are as if it took longer, but for the order in its shard', () => {
    fc.assert(
      fc.property(plainLoads(10), fc.nat(20), shardCounts, ({ items }, extra, shards) => {
        const built = { items: items.map((item, at) => ({ ...item, builds: [at] })), buildSeconds: items.map(() => extra) };
        const longer = { items: items.map((item) => ({ ...item, seconds: item.seconds + extra })), buildSeconds: [] };
        expectSame(pack(built, shards).makespan, pack(longer, shards).makespan);
      }),
    );
  });

  test('are worth spreading where that is quicker', () => {
    const core = load([5], [100, [0]], [100, [0]]);
    expect(pack(core, 2).makespan).toBe(105);
    expect(lowerBound(core, 2)).toBe(105);
  });
});

describe('items that must be apart', () => {
  const named = (apart: string, ...seconds: readonly number[]): readonly Item[] =>
    seconds.map((own, at) => ({ name: `${apart}${at}`, seconds: own, builds: [0], apart }));

  test('are, even where together would be quicker', () => {
    const load = { items: [...named('a', 1, 1), ...named('b', 1, 1, 1)], buildSeconds: [100] };
    expect(namesIn(load, pack(load, 3)).map((names) => names.replaceAll(/\d/g, ''))).toEqual(['a b', 'a b', 'b']);
  });

  test('are not, where there are too few shards', () => {
    const load = { items: named('a', 3, 2, 1), buildSeconds: [0] };
    expect(pack(load, 2).makespan).toBe(3);
  });

  test('always are, where there are enough', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', undefined), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(anyLoads(14), words, fc.integer({ min: 1, max: 6 }), (load, apart, count) => {
        const items = load.items.map((item, at) => ({ ...item, ...(apart[at] === undefined ? {} : { apart: apart[at] }) }));
        const packing = pack({ ...load, items }, count);
        expect(packing.shards.flat()).toHaveLength(items.length);
        for (const word of ['a', 'b', 'c']) {
          const size = items.filter((item) => item.apart === word).length;
          const together = packing.shards.map((shard) => shard.filter((place) => items[place]?.apart === word).length);
          if (size <= count) expect(Math.max(0, ...together)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('at the edge', () => {
  test('of nothing there is nothing', () => {
    expect(pack(plainLoad(), 3)).toEqual({ shards: [], loads: [], makespan: 0 });
    expect(lowerBound(plainLoad(), 3)).toBe(0);
  });

  test('one shard holds everything', () => {
    expect(pack(plainLoad(1, 2, 3), 1)).toEqual({ shards: [[2, 1, 0]], loads: [6], makespan: 6 });
  });

  test('more shards than items: one each', () => {
    expect(pack(plainLoad(1, 2, 3), 1000)).toEqual({ shards: [[2], [1], [0]], loads: [3, 2, 1], makespan: 3 });
  });

  test('equal items are shared out by name', () => {
    const load = plainLoad(1, 1, 1, 1, 1, 1);
    expect(namesIn(load, pack(load, 3))).toEqual(['a d', 'b e', 'c f']);
  });

  test('a second beside an age', () => {
    const load = plainLoad(1e9, 1e-9, 1e9, 1e-9, 1e-9);
    expect(pack(load, 2).makespan).toBeGreaterThanOrEqual(1e9);
    expect(pack(load, 2).shards.flat()).toHaveLength(5);
    expect(pack(plainLoad(1e-9, 1e-9, 1e-9), 2).makespan).toBe(2e-9);
  });

  test.each([0, -1, 1.5, Number.NaN])('%d shards are none', (shards) => {
    expect(() => pack(plainLoad(1), shards)).toThrow(RangeError);
    expect(() => lowerBound(plainLoad(1), shards)).toThrow(RangeError);
  });

  test('thousands of items are no trouble', () => {
    const dice = new Dice(2);
    const seconds = Array.from({ length: 3000 }, () => 1 + dice.below(1000));
    const packing = pack(plainLoad(...seconds), 50);
    expect(packing.makespan / lowerBound(plainLoad(...seconds), 50)).toBeLessThan(1.001);
    expect(packing.shards.flat()).toHaveLength(3000);
  });
});

describe('the bound', () => {
  test.each<[why: string, seconds: readonly number[], shards: number, bound: number]>([
    ['the longest', [9, 1, 1], 3, 9],
    ['an even share', [3, 3, 3, 3], 2, 6],
    ['three items in two shards: the two shortest meet', [5, 4, 3], 2, 7],
    ['seven in three: three of them meet', [4, 4, 4, 4, 4, 4, 4], 3, 12],
  ])('%s', (_, seconds, shards, bound) => {
    expect(lowerBound(plainLoad(...seconds), shards)).toBe(bound);
  });

  test('falls, or stays, with every shard more', () => {
    fc.assert(
      fc.property(anyLoads(12), shardCounts, (load, shards) => {
        expect(lowerBound(load, shards + 1)).toBeLessThanOrEqual(lowerBound(load, shards) * ROUNDING);
      }),
    );
  });
});

function expectSame(one: number, other: number): void {
  expect(Math.abs(one - other)).toBeLessThanOrEqual(Math.abs(other) * 1e-9);
}
