import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SizeRequest } from './choose.js';
import { anyLoads, isInTime, loadOf, plainLoad } from './load.fixture.js';
import { pack } from './pack.js';
import { planShards, type ShardPlan } from './plan-shards.js';
import type { Splittable } from './split.js';

const shardRequest = { setupSeconds: 60, maxShards: 20 };

/** Returns items a, b, c, … that may be split into ten parts. */
function splittables(...seconds: readonly number[]): readonly Splittable[] {
  return plainLoad(...seconds).items.map((item) => ({ item, canSplit: 'yes', mostParts: 10 }));
}

function whole(items: readonly Splittable[]): readonly Splittable[] {
  return items.map((one) => ({ ...one, canSplit: 'no' }));
}

function partsIn({ items }: ShardPlan): readonly string[] {
  return items.filter(({ part }) => part !== null).map(({ item }) => item.name);
}

describe('with a number of shards', () => {
  test('what is longer than an even share is cut, and its parts land in different shards', () => {
    const plan = planShards(splittables(100, 40, 30, 20, 10), [], { ...shardRequest, shards: 4 });
    expect(partsIn(plan)).toEqual(['a (1 of 2)', 'a (2 of 2)']);
    expect(plan.choice.packing.makespan).toBe(50);
    expect(plan.choice.packing.shards.map((shard) => shard.map((place) => plan.items[place]?.of).join(' '))).toEqual([
      'a',
      'a',
      'b e',
      'c d',
    ]);
  });

  test('nothing is cut where something else keeps the shards from being shorter', () => {
    const [first, ...others] = splittables(100, 90, 10);
    const plan = planShards([...whole(first === undefined ? [] : [first]), ...others], [], { ...shardRequest, shards: 3 });
    expect(partsIn(plan)).toEqual([]);
  });

  test('nothing is cut where nothing is too long', () => {
    expect(partsIn(planShards(splittables(3, 3, 3, 3, 3), [], { ...shardRequest, shards: 4 }))).toEqual([]);
  });

  test('nothing is cut for next to nothing, not even beside what is', () => {
    expect(partsIn(planShards(splittables(100.5, 99.5, 100, 100), [], { ...shardRequest, shards: 4 }))).toEqual([]);
    expect(partsIn(planShards(splittables(200, 101, 99), [], { ...shardRequest, shards: 4 }))).toEqual(['a (1 of 2)', 'a (2 of 2)']);
  });

  test('nothing is cut further than what cannot be cut lets the shards be', () => {
    const [first, ...others] = splittables(300, 500, 280);
    const plan = planShards([...whole(first === undefined ? [] : [first]), ...others], [], { ...shardRequest, shards: 4 });
    expect([plan.choice.packing.makespan, partsIn(plan)]).toEqual([300, ['b (1 of 2)', 'b (2 of 2)']]);
  });

  test('nothing is cut into more parts than there are shards, or than may be', () => {
    expect(partsIn(planShards(splittables(1000), [], { ...shardRequest, shards: 3 }))).toHaveLength(3);
    expect(partsIn(planShards(splittables(1000), [], { ...shardRequest, shards: 15 }))).toHaveLength(10);
    expect(partsIn(planShards(splittables(1000), [], { ...shardRequest, shards: 1 }))).toEqual([]);
  });

  test('a part brings its builds along, so that less is cut', () => {
    const items = splittables(100, 40, 30, 30).map((one) => ({ ...one, item: { ...one.item, builds: [0] } }));
    const plan = planShards(items, [80], { ...shardRequest, shards: 4 });
    expect(partsIn(plan)).toHaveLength(2);
    expect(plan.choice.packing.makespan).toBe(140);
  });

  test('nothing is cut where the builds that come again eat up what it saves', () => {
    const [big, ...small] = splittables(100, 100, 100).map((one, at) => ({ ...one, item: { ...one.item, builds: at === 0 ? [0] : [] } }));
    const plan = planShards(big === undefined ? [] : [big, ...small], [300], { ...shardRequest, shards: 3 });
    expect(partsIn(plan)).toEqual([]);
    expect(plan.choice.packing.makespan).toBe(400);
  });
});

describe('with a time', () => {
  test('what does not fit in it is cut until it does', () => {
    const plan = planShards(splittables(500, 100, 50), [], { ...shardRequest, targetSeconds: 260 });
    expect(partsIn(plan)).toEqual(['a (1 of 3)', 'a (2 of 3)', 'a (3 of 3)']);
    expect(isInTime(plan.choice, { ...shardRequest, targetSeconds: 260 })).toBe(true);
    expect(plan.choice.packing.shards).toHaveLength(4);
  });

  test('builds leave less of it', () => {
    const items = splittables(500, 100, 50).map((one) => ({ ...one, item: { ...one.item, builds: [0] } }));
    const plan = planShards(items, [100], { ...shardRequest, targetSeconds: 260 });
    expect(partsIn(plan)).toHaveLength(5);
    expect(isInTime(plan.choice, { ...shardRequest, targetSeconds: 260 })).toBe(true);
  });

  test('that cannot be had, the plan is nearly as quick as any', () => {
    const plan = planShards(whole(splittables(500, 100, 50)), [], { ...shardRequest, targetSeconds: 260 });
    expect([plan.choice.packing.makespan, plan.choice.packing.shards.length]).toEqual([500, 2]);
  });

  test('and a number, the number decides', () => {
    const plan = planShards(splittables(500, 100), [], { ...shardRequest, shards: 2, targetSeconds: 100 });
    expect(plan.choice.packing.shards).toHaveLength(2);
  });
});

test('with neither, cutting is part of what is weighed', () => {
  const items = splittables(2000, ...Array.from({ length: 200 }, () => 10));
  expect(planShards(items, [], shardRequest).choice.packing.shards).toHaveLength(8);
  expect(planShards(whole(items), [], shardRequest).choice.packing.shards).toHaveLength(2);
});

test('of nothing there is an empty plan', () => {
  const packing = { shards: [], loads: [], makespan: 0 };
  expect(planShards([], [], shardRequest)).toEqual({ items: [], choice: { packing, unused: 0 } });
  expect(planShards([], [], { ...shardRequest, targetSeconds: 5 })).toEqual({ items: [], choice: { packing, unused: 0 } });
});

describe('every plan', () => {
  const seconds = fc.option(fc.double({ min: 0, max: 1000, noNaN: true }), { nil: undefined });
  const shardRequests = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 9 }), fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }), seconds)
    .map(
      ([setupSeconds, maxShards, shards, targetSeconds]): SizeRequest => ({
        setupSeconds,
        maxShards,
        ...(shards === undefined ? {} : { shards }),
        ...(targetSeconds === undefined ? {} : { targetSeconds }),
      }),
    );
  const given = fc.tuple(anyLoads(9), fc.array(fc.nat(12), { minLength: 9, maxLength: 9 }), shardRequests);
  type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;
  const splittable = ([{ items }, most]: Given): readonly Splittable[] =>
    items.map((item, at): Splittable => ({ item, canSplit: (most[at] ?? 0) % 3 === 0 ? 'no' : 'yes', mostParts: most[at] ?? 0 }));

  test('has each item whole or in all its parts, each exactly once, and parts in different shards', () => {
    fc.assert(
      fc.property(given, (one) => {
        const [load, , wished] = one;
        const { items, choice } = planShards(splittable(one), load.buildSeconds, wished);
        expect(choice.packing.shards.flat().toSorted((a, b) => a - b)).toEqual([...items.keys()]);
        for (const { name, seconds } of load.items) {
          const parts = items.filter(({ of }) => of === name);
          expect(parts.map(({ part }) => part)).toEqual(parts.length === 1 ? [null] : parts.map((_, at) => [at + 1, parts.length]));
          expect(Math.abs(parts.reduce((sum, { item }) => sum + item.seconds, 0) - seconds)).toBeLessThanOrEqual(seconds * 1e-9);
          for (const shard of choice.packing.shards)
            expect(shard.filter((place) => items[place]?.of === name).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('says what it takes, and is no longer than with everything whole', () => {
    fc.assert(
      fc.property(given, (one) => {
        const [load, , wished] = one;
        const { items, choice } = planShards(splittable(one), load.buildSeconds, wished);
        const cut = { items: items.map(({ item }) => item), buildSeconds: load.buildSeconds };
        const loads = choice.packing.shards.map((shard) => loadOf(cut, shard));
        expect(Math.abs(Math.max(0, ...loads) - choice.packing.makespan)).toBeLessThanOrEqual(choice.packing.makespan * 1e-9);
        if (wished.shards === undefined) return;
        const shards = Math.min(wished.shards, wished.maxShards);
        // Up to rounding, because fewer shards that finish as early are also correct.
        expect(choice.packing.makespan).toBeLessThanOrEqual(pack(load, shards).makespan * (1 + 2e-9));
      }),
    );
  });

  test('meets a time that is met with everything whole', () => {
    fc.assert(
      fc.property(given, (one) => {
        const [load, , { shards: _, ...wished }] = one;
        const plan = (items: readonly Splittable[]): ShardPlan => planShards(items, load.buildSeconds, wished);
        if (isInTime(plan(whole(splittable(one))).choice, wished)) expect(isInTime(plan(splittable(one)).choice, wished)).toBe(true);
      }),
    );
  });

  test('is the same for any order of the items', () => {
    fc.assert(
      fc.property(given, (one) => {
        const [load, , wished] = one;
        const plan = planShards(splittable(one), load.buildSeconds, wished);
        const reversed = planShards(splittable(one).toReversed(), load.buildSeconds, wished);
        expect(reversed.choice.packing.loads).toEqual(plan.choice.packing.loads);
        expect(partsIn(reversed).toSorted()).toEqual(partsIn(plan).toSorted());
      }),
    );
  });
});
