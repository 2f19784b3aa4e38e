import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Shard } from '../plan/plan.js';
import { groupIntoLegs, type Leg, shardIds } from './legs.js';
import { planOf, sameTime } from './plan.fixture.js';

const shards = fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 60 }).map((seconds) => planOf(seconds).shards);
const most = fc.integer({ min: 1, max: 40 });

function secondsOf({ shards: own }: Leg): number {
  return own.reduce((sum, { seconds }) => sum + seconds, 0);
}

describe('legs', () => {
  test('hold every shard exactly once', () => {
    fc.assert(
      fc.property(shards, most, (all, limit) => {
        const ids = groupIntoLegs(all, limit).flatMap((leg) => leg.shards.map(({ id }) => id));
        expect(ids.sort()).toEqual(all.map(({ id }) => id).sort());
      }),
    );
  });

  test('are no more than an engine takes, and as many as that if there are enough shards', () => {
    fc.assert(fc.property(shards, most, (all, limit) => expect(groupIntoLegs(all, limit)).toHaveLength(Math.min(all.length, limit))));
  });

  test('stand in the order of what they take, the longest first, and have the id of their first shard', () => {
    fc.assert(
      fc.property(shards, most, (all, limit) => {
        const legs = groupIntoLegs(all, limit);
        expect(legs.map(secondsOf)).toEqual(legs.map(secondsOf).toSorted((a, b) => b - a));
        for (const leg of legs) expect(leg.id).toBe(leg.shards[0]?.id);
      }),
    );
  });

  test('are a shard each, if there are no more than that', () => {
    fc.assert(
      fc.property(shards, (all) => {
        for (const { shards: own } of groupIntoLegs(all, 60)) expect(own).toHaveLength(1);
      }),
    );
  });

  test('are the same whatever the order of the shards', () => {
    fc.assert(
      fc.property(shards, most, (all, limit) => {
        expect(groupIntoLegs(all.toReversed(), limit)).toEqual(groupIntoLegs(all, limit));
      }),
    );
  });

  test('are filled evenly: the longest is no longer than an even share and its last shard', () => {
    fc.assert(
      fc.property(shards, most, (all, limit) => {
        const share = all.reduce((sum, { seconds }) => sum + seconds, 0) / Math.min(limit, Math.max(1, all.length));
        for (const leg of groupIntoLegs(all, limit)) expect(secondsOf(leg)).toBeLessThanOrEqual(share + (leg.shards.at(-1)?.seconds ?? 0));
      }),
    );
  });
});

test('a shard above the limit joins the leg with the least to do', () => {
  expect(groupIntoLegs(planOf([30, 10, 20]).shards, 2).map(shardIds)).toEqual(['01', '03 02']);
  expect(groupIntoLegs(sameTime(5).shards, 2).map(shardIds)).toEqual(['01 03 05', '02 04']);
  expect(groupIntoLegs([], 2)).toEqual([]);
});

test('ids stand beside each other as `affected run-shard` takes them', () => {
  const [first, second] = sameTime(2).shards as [Shard, Shard];
  expect(shardIds({ id: '01', shards: [first] })).toBe('01');
  expect(shardIds({ id: '01', shards: [first, second] })).toBe('01 02');
});
