import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { babylonEvents } from '../facts/facts.fixture.js';
import type { Micros } from '../model/event.js';
import type { Comparison, Side } from '../report/comparison.js';
import { Database } from './database.js';
import { readComparison } from './read-comparison.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
  await loadEvents(database, [...babylonEvents('before'), ...babylonEvents('after')]);
});
afterAll(() => {
  database.close();
});

function side(repo: 'before' | 'after', until: Side['lead']['until']): Side {
  const [since, end] = [Date.UTC(2017, 0, 1), Date.UTC(2021, 0, 1)].map((time) => (time * 1000) as Micros);
  return {
    lead: { ready: 'merged', until, channels: new Set(['tag']) },
    since: since as Micros,
    until: end as Micros,
    repos: [repo],
    packages: [],
  };
}

function compare(before: Side, after: Side): Promise<Comparison> {
  return readComparison(database, { before, after, method: 'linear' });
}

test('the move of babylon made the way shorter, at P50 by two thirds and at P90 by half', async () => {
  const { before, after, p50, p90 } = await compare(side('before', 'released'), side('after', 'published'));
  expect([before.n, after.n]).toEqual([219, 248]);
  expect(p50.difference?.change).toBeCloseTo(-0.68, 2);
  expect(p90.difference?.change).toBeCloseTo(-0.52, 2);
  expect([p50.verdict, p90.verdict]).toEqual(['shorter', 'shorter']);
  expect(before.upgradesPerMonth).toBeGreaterThan(0);
  expect(after.upgradesPerMonth).toBe(0);
});

test('the stages of each side add up to its mean', async () => {
  const { before } = await compare(side('before', 'released'), side('after', 'published'));
  expect(before.stages.map(({ stage, whose }) => [stage, whose])).toEqual([
    ['publish-wait', 'package'],
    ['upgrade-merge', 'consumer'],
    ['publish-wait', 'consumer'],
  ]);
  const events = babylonEvents('before');
  const released = events.filter(({ stage, consumer }) => stage === 'publish' && consumer !== undefined);
  const merged = events.filter(({ stage }) => stage === 'merge-wait');
  const mean = released.reduce((sum, { endedAt }, at) => sum + endedAt - (merged[at]?.endedAt ?? 0), 0) / released.length;
  expect(before.stages.reduce((sum, stage) => sum + stage.mean, 0) / mean).toBeCloseTo(1, 9);
});

test('nothing is claimed where a side is the same, or has nothing', async () => {
  const same = await compare(side('after', 'published'), side('after', 'published'));
  expect([same.p50.verdict, same.p90.verdict]).toEqual(['unclear', 'unclear']);
  const none = await compare(side('after', 'published'), { ...side('after', 'published'), packages: ['nobody'] });
  expect([none.after.n, none.p50.verdict, none.p50.difference]).toEqual([0, 'too few', undefined]);
});
