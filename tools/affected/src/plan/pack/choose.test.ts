import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Choice, SizeRequest } from './choose.js';
import { anyLoads, chooseShards, isInTime, plainLoad } from './load.fixture.js';
import { pack } from './pack.js';

const shardRequest = { setupSeconds: 10, maxShards: 20 };
const ten = plainLoad(...Array.from({ length: 10 }, () => 60));

function countOf({ packing }: Choice): number {
  return packing.shards.length;
}

describe('a number of shards', () => {
  test('is what is taken', () => {
    expect(chooseShards(ten, { ...shardRequest, shards: 5 })).toEqual({ packing: pack(ten, 5), unused: 0 });
  });

  test('is not used up where fewer are done as early', () => {
    const many = plainLoad(1000, ...Array.from({ length: 60 }, () => 100));
    expect(chooseShards(many, { ...shardRequest, shards: 40, maxShards: 40 })).toMatchObject({
      packing: { makespan: 1000, shards: { length: 7 } },
      unused: 33,
    });
    expect(chooseShards(many, { ...shardRequest, shards: 6 })).toMatchObject({ packing: { shards: { length: 6 } }, unused: 0 });
  });

  test('is never more than the most', () => {
    expect(countOf(chooseShards(ten, { ...shardRequest, shards: 5, maxShards: 3 }))).toBe(3);
  });
});

describe('a time', () => {
  test.each<[targetSeconds: number, shards: number, target: 'met' | 'out of reach']>([
    [610, 1, 'met'],
    [609, 2, 'met'],
    [250, 3, 'met'],
    [190, 4, 'met'],
    [189, 5, 'met'],
    [130, 5, 'met'],
    [129, 10, 'met'],
    [70, 10, 'met'],
    [69, 10, 'out of reach'],
    [1, 10, 'out of reach'],
  ])('%d s: %d shards, %s', (targetSeconds, shards, target) => {
    const asked = { ...shardRequest, targetSeconds };
    const choice = chooseShards(ten, asked);
    expect([countOf(choice), isInTime(choice, asked)]).toEqual([shards, target === 'met']);
  });

  test('out of reach costs no shards that make nothing quicker', () => {
    const load = plainLoad(100, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10);
    const choice = chooseShards(load, { ...shardRequest, targetSeconds: 60 });
    expect([countOf(choice), choice.packing.makespan]).toEqual([2, 100]);
  });
});

describe('neither', () => {
  test('stops where one more machine costs more than it saves', () => {
    // 600 s of work: four machines save 50 s over three and cost one set-up, five save 30 s, six save 20 s.
    const fine = plainLoad(...Array.from({ length: 600 }, () => 1));
    expect(countOf(chooseShards(fine, { setupSeconds: 40, maxShards: 20 }))).toBe(4);
    expect(countOf(chooseShards(fine, { setupSeconds: 29, maxShards: 20 }))).toBe(5);
    expect(countOf(chooseShards(fine, { setupSeconds: 1000, maxShards: 20 }))).toBe(1);
    expect(countOf(chooseShards(fine, { setupSeconds: 0, maxShards: 20 }))).toBe(20);
  });

  test('counts builds that are made again as a cost', () => {
    const items = Array.from({ length: 60 }, (_, at) => ({ name: `p${at}`, seconds: 10, builds: [0] }));
    const free = chooseShards({ items, buildSeconds: [0] }, { setupSeconds: 9, maxShards: 20 });
    const dear = chooseShards({ items, buildSeconds: [200] }, { setupSeconds: 9, maxShards: 20 });
    expect([countOf(free), countOf(dear)]).toEqual([10, 2]);
  });

  test('has no more shards than make it quicker', () => {
    expect(countOf(chooseShards(plainLoad(100, 10, 10), { setupSeconds: 0, maxShards: 20 }))).toBe(2);
  });
});

test('nothing needs no shard', () => {
  for (const more of [{}, { targetSeconds: 1 }, { targetSeconds: shardRequest.setupSeconds }, { shards: 3 }])
    expect(chooseShards(plainLoad(), { ...shardRequest, ...more })).toEqual({ packing: { shards: [], loads: [], makespan: 0 }, unused: 0 });
});

describe('every choice', () => {
  const seconds = fc.option(fc.double({ min: -5, max: 2000, noNaN: true }), { nil: undefined });
  const shardRequests = fc
    .record({
      setupSeconds: fc.nat(100),
      maxShards: fc.integer({ min: 1, max: 12 }),
      shards: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
      targetSeconds: seconds,
    })
    .map(
      ({ shards, targetSeconds, ...rest }): SizeRequest => ({
        ...rest,
        ...(shards === undefined ? {} : { shards }),
        ...(targetSeconds === undefined ? {} : { targetSeconds }),
      }),
    );

  test('keeps to the most shards, and holds every item', () => {
    fc.assert(
      fc.property(anyLoads(12), shardRequests, (load, given) => {
        const { packing } = chooseShards(load, given);
        expect(packing.shards.length).toBeLessThanOrEqual(given.maxShards);
        expect(packing.shards.flat()).toHaveLength(load.items.length);
      }),
    );
  });

  test('is the same for any order of the items', () => {
    fc.assert(
      fc.property(anyLoads(12), shardRequests, (load, given) => {
        const reversed = chooseShards({ ...load, items: load.items.toReversed() }, given);
        const choice = chooseShards(load, given);
        expect(reversed.packing.loads).toEqual(choice.packing.loads);
      }),
    );
  });
});
