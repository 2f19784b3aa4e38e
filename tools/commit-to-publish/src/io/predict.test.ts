import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { babylonEvents } from '../facts/facts.fixture.js';
import type { Micros } from '../model/event.js';
import type { Figures } from '../report/figures.js';
import { type MovePrediction, predict } from '../report/predict.js';
import type { SideQuestion } from '../report/side.js';
import { Database } from './database.js';
import { readSide } from './read-side.js';

const HOUR = 3600e6;
let database: Database;
let move: MovePrediction;
beforeAll(async () => {
  database = await Database.open();
  await loadEvents(database, babylonEvents('before'));
  move = await ask('released');
});
afterAll(async () => {
  await database.close();
});

async function ask(until: SideQuestion['lead']['until'], without: readonly string[] = []): Promise<MovePrediction> {
  const [since, end] = [Date.UTC(2017, 0, 1), Date.UTC(2021, 0, 1)].map((time) => (time * 1000) as Micros);
  const lead = { ready: 'merged', until, channels: new Set(['tag']) } as const;
  const side = { lead, since: since as Micros, until: end as Micros, repos: [], packages: [] };
  return predict(await readSide(database, side), { side, without });
}

function hours({ p50, p90 }: Figures): readonly (number | undefined)[] {
  return [p50, p90].map((figure) => (figure === undefined ? undefined : Math.round(figure.value / HOUR / 0.1) * 0.1));
}

test('without the removal of a stage it is the measurement', async () => {
  expect(hours((await ask('released')).measured)).toEqual([expect.closeTo(381.4, 1), expect.closeTo(822.8, 1)]);
});

// The measured figures after the move were 122.6 and 397.4 h.
test('without upgrade and one of the two releases', () => {
  const { scenarios } = move;
  const [asPackage, asConsumer] = scenarios;
  expect(asPackage?.kept).toEqual(['post-merge-tests', 'publish-wait', 'publish']);
  expect(asPackage === undefined ? [] : hours(asPackage.figures)).toEqual([expect.closeTo(94.6, 1), expect.closeTo(644.9, 1)]);
  expect(asConsumer?.kept).toEqual(['post-merge-tests', 'consumer-publish-wait', 'consumer-publish']);
  expect(asConsumer === undefined ? [] : hours(asConsumer.figures)).toEqual([expect.closeTo(6.9, 1), expect.closeTo(342.1, 1)]);
  // 12 releases give an interval for the P50, and none for the P90.
  for (const { figures } of scenarios) {
    const { value = 0, interval } = figures.p50 ?? {};
    expect(interval?.low).toBeLessThanOrEqual(value);
    expect(interval?.high).toBeGreaterThanOrEqual(value);
    expect(figures.p90?.interval).toBeUndefined();
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
  expect(scenarios.map(({ kind, figures }) => [kind, hours(figures)])).toEqual([['at once', [0, 0]]]);
});

test('of too few changes nothing is predicted', async () => {
  await loadEvents(database, babylonEvents('before').slice(0, 5 * 4));
  const { now, measured, scenarios } = await ask('released');
  expect([now.n, measured]).toEqual([5, { p50: undefined, p90: undefined }]);
  expect(scenarios[0]?.figures).toEqual({ p50: undefined, p90: undefined });
});
