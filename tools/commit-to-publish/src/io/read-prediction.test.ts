import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { babylonEvents } from '../facts/facts.fixture.js';
import type { Micros } from '../model/event.js';
import type { Figures } from '../report/figures.js';
import type { Prediction } from '../report/prediction.js';
import type { SideQuestion } from '../report/side.js';
import { Database } from './database.js';
import { readPrediction } from './read-prediction.js';

const HOUR = 3600e6;
let database: Database;
let move: Prediction;
beforeAll(async () => {
  database = await Database.open();
  await loadEvents(database, babylonEvents('before'));
  move = await ask('released');
});
afterAll(() => {
  database.close();
});

function ask(until: SideQuestion['lead']['until'], without: readonly string[] = []): Promise<Prediction> {
  const [since, end] = [Date.UTC(2017, 0, 1), Date.UTC(2021, 0, 1)].map((time) => (time * 1000) as Micros);
  const lead = { ready: 'merged', until, channels: new Set(['tag']) } as const;
  const side = { lead, since: since as Micros, until: end as Micros, repos: [], packages: [] };
  return readPrediction(database, { side, without, method: 'linear' });
}

function hours({ p50, p90 }: Figures): readonly (number | undefined)[] {
  return [p50, p90].map((figure) => (figure === undefined ? undefined : Math.round(figure.value / HOUR / 0.1) * 0.1));
}

// An independent computation gave 173.1 and 1,309.6 for the sums, 349 and 899 for a simulation.
test('the whole way by each mode: what was measured, and how far the modes are from it', async () => {
  const { measured, wholeWay } = await ask('released');
  expect(hours(measured)).toEqual([expect.closeTo(381.4, 1), expect.closeTo(822.8, 1)]);
  expect(hours(wholeWay.article)).toEqual([expect.closeTo(173.1, 1), expect.closeTo(1309.6, 1)]);
  const [p50 = 0, p90 = 0] = hours(wholeWay.simulation);
  expect(Math.abs(p50 / 349 - 1)).toBeLessThan(0.03);
  expect(Math.abs(p90 / 899 - 1)).toBeLessThan(0.03);
});

// The measured figures after the move were 122.6 and 397.4 h.
test('without upgrade and one of the two releases', () => {
  const { scenarios } = move;
  const [asPackage, asConsumer] = scenarios;
  expect(asPackage?.kept).toEqual(['post-merge-tests', 'publish-wait', 'publish']);
  expect(asPackage === undefined ? [] : hours(asPackage.modes.replay)).toEqual([expect.closeTo(94.6, 1), expect.closeTo(644.9, 1)]);
  expect(asConsumer?.kept).toEqual(['post-merge-tests', 'consumer-publish-wait', 'consumer-publish']);
  expect(asConsumer === undefined ? [] : hours(asConsumer.modes.replay)).toEqual([expect.closeTo(6.9, 1), expect.closeTo(342.1, 1)]);
  // 12 releases give an interval for the P50, and none for the P90.
  for (const { modes } of scenarios) {
    const { value = 0, interval } = modes.replay.p50 ?? {};
    expect(interval?.low).toBeLessThanOrEqual(value);
    expect(interval?.high).toBeGreaterThanOrEqual(value);
    expect([modes.replay.p90?.interval, modes.simulation.p50?.interval, modes.article.p50?.interval]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
});

test('the same question has the same answer', async () => {
  expect(await ask('released', ['publish'])).toEqual(await ask('released', ['publish']));
});

test('stages may be named, and those that are none are refused', async () => {
  const { scenarios } = await ask('released', ['publish-wait']);
  expect(scenarios.map(({ kind, without }) => [kind, without])).toEqual([['asked', ['publish-wait']]]);
  await expect(ask('released', ['deploy'])).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('consumer-publish') });
});

test('where a change is with its consumer as soon as it is merged nothing is left', async () => {
  const { scenarios } = await ask('upgraded');
  expect(scenarios.map(({ kind, modes }) => [kind, hours(modes.replay)])).toEqual([['at once', [0, 0]]]);
});

test('of too few changes nothing is predicted', async () => {
  await loadEvents(database, babylonEvents('before').slice(0, 5 * 4));
  const { now, measured, scenarios } = await ask('released');
  expect([now.n, measured]).toEqual([5, { p50: undefined, p90: undefined }]);
  expect(scenarios[0]?.modes.simulation).toEqual({ p50: undefined, p90: undefined });
});
