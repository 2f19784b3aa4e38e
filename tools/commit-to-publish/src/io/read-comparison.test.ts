import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { babylonEvents } from '../facts/facts.fixture.js';
import type { Micros } from '../model/event.js';
import type { LeadTimeComparison } from '../report/comparison.js';
import type { SideQuestion } from '../report/side.js';
import { Database } from './database.js';
import { readComparison } from './read-comparison.js';

let database: Database;
/** The move of babylon. */
let move: LeadTimeComparison;
beforeAll(async () => {
  database = await Database.open();
  await loadEvents(database, [...babylonEvents('before'), ...babylonEvents('after')]);
  move = await compare(side('before', 'released'), side('after', 'published'));
});
afterAll(async () => {
  await database.close();
});

function side(repo: 'before' | 'after', until: SideQuestion['lead']['until']): SideQuestion {
  const [since, end] = [Date.UTC(2017, 0, 1), Date.UTC(2021, 0, 1)].map((time) => (time * 1000) as Micros);
  return {
    lead: { ready: 'merged', until, channels: new Set(['tag']) },
    since: since as Micros,
    until: end as Micros,
    repos: [repo],
    packages: [],
  };
}

function compare(before: SideQuestion, after: SideQuestion): Promise<LeadTimeComparison> {
  return readComparison(database, { before, after });
}

test('the move of babylon made the way shorter by two thirds at P50; 12 releases before it bear no claim about the P90', () => {
  const { before, after, p50, p90, upgrades } = move;
  expect([before.n, after.n]).toEqual([219, 248]);
  expect(p50.difference?.change).toBeCloseTo(-0.68, 2);
  expect(p90.difference?.change).toBeCloseTo(-0.52, 2);
  expect([p50.verdict, p90.verdict]).toEqual(['shorter', 'too few']);
  expect([p50.difference?.interval !== undefined, p90.difference?.interval]).toEqual([true, undefined]);
  expect(before.upgrades.perMonth).toBeGreaterThan(0);
  expect(after.upgrades.n).toBe(0);
  expect([upgrades.verdict, upgrades.gonePerMonth]).toEqual(['fewer', before.upgrades.perMonth]);
  expect([before.coverage, after.coverage]).toEqual([1, 1]);
});

test('what came out with a first publication is no part of what waits', async () => {
  const own = await Database.open();
  const events = babylonEvents('after');
  const last = events.findLast(({ stage }) => stage === 'publish');
  const asFirst = events.map((event) => (event === last ? { ...event, outcome: 'unmeasured' as const } : event));
  await loadEvents(own, asFirst);
  const coverage = async (): Promise<number | undefined> =>
    (await readComparison(own, { before: side('after', 'published'), after: side('after', 'published') })).after.coverage;
  expect(await coverage()).toBe(1);
  await loadEvents(
    own,
    events.filter((event) => event !== last),
  );
  expect(await coverage()).toBe(247 / 248);
  await own.close();
});

test('the stages of each side add up to its mean', () => {
  const { before } = move;
  expect(before.stages.map(({ stage, whose }) => [stage, whose])).toEqual([
    ['publish-wait', 'package'],
    ['upgrade-merge', 'consumer'],
    ['publish-wait', 'consumer'],
  ]);
  const events = babylonEvents('before');
  const released = events.filter(({ stage, consumer }) => stage === 'publish' && consumer !== undefined);
  const merged = events.filter(({ stage }) => stage === 'merge-wait');
  const mean = released.reduce((sum, { endedAt }, at) => sum + endedAt - (merged[at]?.endedAt ?? 0), 0) / released.length;
  expect(before.stages.reduce((sum, stage) => sum + (stage.mean ?? 0), 0) / mean).toBeCloseTo(1, 9);
});

test('nothing is claimed where a side is the same, or has nothing', async () => {
  const same = await compare(side('after', 'published'), side('after', 'published'));
  // The P90 has too few releases to be bounded on a side, so nothing is said of it.
  expect([same.p50.verdict, same.p90.verdict, same.upgrades.verdict]).toEqual(['unclear', 'too few', 'none']);
  expect(same.predicted).toBeUndefined();
  const none = await compare(side('after', 'published'), { ...side('after', 'published'), packages: ['nobody'] });
  expect([none.after.n, none.p50.verdict, none.p50.difference]).toEqual([0, 'too few', undefined]);
});

test('what was before predicts a part of what came: with the releases of the package too little at P50, with more of them than there were at P90', () => {
  const { predicted, p50, p90 } = move;
  const [asPackage, asConsumer] = predicted?.scenarios ?? [];
  const hours = (value = Number.NaN): number => Math.round(value / 3600e6);
  expect([hours(asPackage?.figures.p50?.value), hours(asConsumer?.figures.p50?.value), hours(p50.difference?.after)]).toEqual([95, 7, 123]);
  expect([hours(asPackage?.figures.p90?.value), hours(asConsumer?.figures.p90?.value), hours(p90.difference?.after)]).toEqual([
    645, 342, 397,
  ]);
});

test('an empty side says how far its changes have come', async () => {
  const { before, p50 } = await compare(side('before', 'published'), side('after', 'upgraded'));
  expect(before.reached).toBeUndefined();
  const none = await compare(side('before', 'released'), side('after', 'upgraded'));
  expect([none.after.n, none.after.reached, none.p50.verdict]).toEqual([0, { published: 248, upgraded: 0, released: 0 }, 'too few']);
  expect(p50.verdict).toBe('too few');
});

test('releases without a name are told apart by when they came', async () => {
  const nameless = babylonEvents('after').map(({ release: _, ...event }) => event);
  await loadEvents(database, nameless);
  const { after } = await compare(side('after', 'published'), side('after', 'published'));
  expect([after.n, after.releases]).toEqual([248, 42]);
});
