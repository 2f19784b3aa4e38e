import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Choice, chooseShards, type SizeRequest } from './choose.js';
import { anyLoads, plainLoad } from './load.fixture.js';
import { pack } from './pack.js';

const shardRequest = { setupSeconds: 10, maxShards: 20 };
const ten = plainLoad(...Array.from({ length: 10 }, () => 60));

function countOf({ packing }: Choice): number {
  return packing.shards.length;
}

describe('a number of shards', () => {
  test('is what is taken', () => {
    expect(chooseShards(ten, { ...shardRequest, shards: 5 })).toMatchObject({ packing: pack(ten, 5), target: 'none' });
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

  test('is held against a time', () => {
    expect(chooseShards(ten, { ...shardRequest, shards: 5, targetSeconds: 130 }).target).toBe('met');
    expect(chooseShards(ten, { ...shardRequest, shards: 5, targetSeconds: 129 }).target).toBe('out of reach');
  });
});

describe('a time', () => {
  test.each<[targetSeconds: number, shards: number, target: Choice['target']]>([
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
    const choice = chooseShards(ten, { ...shardRequest, targetSeconds });
    expect([countOf(choice), choice.target]).toEqual([shards, target]);
  });

  test('out of reach costs no shards that make nothing quicker', () => {
    const load = plainLoad(100, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10);
    const choice = chooseShards(load, { ...shardRequest, targetSeconds: 60 });
    expect([countOf(choice), choice.packing.makespan, choice.target]).toEqual([2, 100, 'out of reach']);
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

describe('the curve', () => {
  test('has a few numbers around and up to the choice, with what each would take', () => {
    expect(chooseShards(ten, { ...shardRequest, shards: 5 }).curve).toEqual([
      { shards: 1, wallSeconds: 610, machineSeconds: 610 },
      { shards: 3, wallSeconds: 250, machineSeconds: 630 },
      { shards: 4, wallSeconds: 190, machineSeconds: 640 },
      { shards: 5, wallSeconds: 130, machineSeconds: 650 },
      { shards: 6, wallSeconds: 130, machineSeconds: 660 },
    ]);
  });

  test('of nothing is one point', () => {
    const curve = [{ shards: 0, wallSeconds: 0, machineSeconds: 0 }];
    const nothing = { packing: { shards: [], loads: [], makespan: 0 }, curve, unused: 0 };
    expect(chooseShards(plainLoad(), shardRequest)).toEqual({ ...nothing, target: 'none' });
    expect(chooseShards(plainLoad(), { ...shardRequest, targetSeconds: 1 })).toEqual({ ...nothing, target: 'met' });
    expect(chooseShards(plainLoad(), { ...shardRequest, targetSeconds: shardRequest.setupSeconds })).toEqual({ ...nothing, target: 'met' });
    expect(chooseShards(plainLoad(), { ...shardRequest, shards: 3 })).toEqual({ ...nothing, target: 'none' });
  });
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

  test('has its point on an ascending curve, keeps to the most, and says rightly whether the time is met', () => {
    fc.assert(
      fc.property(anyLoads(12), shardRequests, (load, given) => {
        const { packing, curve, target } = chooseShards(load, given);
        const counts = curve.map(({ shards }) => shards);
        expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
        expect(Math.max(...counts)).toBeLessThanOrEqual(given.maxShards);
        const walls = curve.map(({ wallSeconds }) => wallSeconds);
        expect(walls).toEqual([...walls].sort((a, b) => b - a));
        expect(packing.shards.flat()).toHaveLength(load.items.length);
        const own = curve.find(({ shards }) => shards === packing.shards.length);
        const wall = packing.shards.length === 0 ? 0 : packing.makespan + given.setupSeconds;
        expect(own?.wallSeconds).toBe(wall);
        expect(own?.machineSeconds).toBeGreaterThanOrEqual(wall);
        if (given.targetSeconds === undefined) expect(target).toBe('none');
        else if (Math.abs(wall - given.targetSeconds) > 1e-6) expect(target).toBe(wall <= given.targetSeconds ? 'met' : 'out of reach');
      }),
    );
  });

  test('is the same for any order of the items', () => {
    fc.assert(
      fc.property(anyLoads(12), shardRequests, (load, given) => {
        const reversed = chooseShards({ ...load, items: load.items.toReversed() }, given);
        const choice = chooseShards(load, given);
        expect(reversed.packing.loads).toEqual(choice.packing.loads);
        expect(reversed.curve).toEqual(choice.curve);
      }),
    );
  });
});
