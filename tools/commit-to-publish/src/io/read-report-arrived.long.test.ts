// Arrived and waiting changes beside the figures of a report.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { ERA } from '../facts/era.fixture.js';
import { babylonEvents } from '../facts/facts.fixture.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { type ReportQuestion, startOfWeek, weekOf } from '../report/question.js';
import { Database } from './database.js';
import { readDetails } from './read-details.js';
import { readReport } from './read-report.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

const HOUR = 3600 * 1e6;

test('what came out with a first publication does not wait, and what nobody published does', async () => {
  const events = babylonEvents('after').filter(({ stage }) => stage === 'merge-wait' || stage === 'publish');
  const [one, two, three] = [...new Set(events.map(({ change }) => change))];
  const coverageWith = async (all: readonly Event[]): Promise<number | undefined> => {
    await loadEvents(database, all);
    return (await readReport(database, ERA)).rows[0]?.coverage;
  };
  const unpublished = events.filter(({ change, stage }) => stage !== 'publish' || (change !== one && change !== two));
  expect(await coverageWith(unpublished)).toBe(246 / 248);
  const isFirst = ({ change, stage }: Event): boolean => stage === 'publish' && (change === one || change === two);
  const asFirst = (event: Event): Event => (isFirst(event) ? { ...event, outcome: 'unmeasured' } : event);
  expect(await coverageWith(events.map(asFirst))).toBe(1);
  const alsoWaiting = events.filter(({ change, stage }) => stage !== 'publish' || change !== three);
  expect(await coverageWith(alsoWaiting.map(asFirst))).toBe(245 / 246);
});

test('what nobody ever publishes, such as an application, is not on its way anywhere', async () => {
  const events = babylonEvents('after');
  const ofApp = events.filter(({ stage }) => stage === 'merge-wait').map((event) => ({ ...event, id: `app ${event.id}`, package: 'app' }));
  await loadEvents(database, [...events, ...ofApp]);
  const { rows, waiting } = await readReport(database, ERA);
  expect([rows.map(({ group, coverage }) => [group, coverage]), waiting]).toEqual([[[events[0]?.package, 1]], 0]);
});

test('P50 and P90 with what waits are those of Kaplan and Meier, over the changes that were ready', async () => {
  const monday = startOfWeek(2900);
  const merged = (at: number): Micros => (monday + at * HOUR) as Micros;
  // Forty changes, one each hour. A quarter each is published after 1 h, 10 h and 20 h, and a quarter waits.
  const events = Array.from({ length: 40 }, (_, at): readonly Event[] => {
    const base = { ...eventNumber(0), change: `c${at}`, repo: 'acme/ui', package: 'ui' };
    const merge = { ...base, id: `m${at}`, stage: 'merge-wait' as const, startedAt: merged(at), endedAt: merged(at) };
    const length = [1, 10, 20][at % 4];
    if (length === undefined) return [merge];
    const out = merged(at + length);
    return [merge, { ...base, id: `p${at}`, stage: 'publish', startedAt: out, endedAt: out, channel: 'tag', release: `v${at}` }];
  }).flat();
  await loadEvents(database, events);
  const question: ReportQuestion = { ...ERA, weeks: 1, since: monday, until: startOfWeek(2901) };
  const [row] = (await readReport(database, question)).rows;
  // No waiting change has waited less than 20 h, so half are published by 10 h, and 90 % never.
  expect(row?.withWaiting).toEqual({
    n: 40,
    waiting: 10,
    p50: { value: 10 * HOUR, isBeyond: false },
    p90: { value: 7 * 24 * HOUR - 3 * HOUR, isBeyond: true },
  });
  expect(row?.coverage).toBe(0.75);
  const [whole] = (await readReport(database, { ...question, by: 'repo' })).rows;
  expect(whole?.withWaiting).toEqual(row?.withWaiting);
  const stages = (await readReport(database, { ...question, by: 'stage' })).rows;
  expect(new Set(stages.map(({ withWaiting }) => withWaiting))).toEqual(new Set([undefined]));
});

test('a change that one consumer has and another has not waits for the other, from when that one began', async () => {
  const monday = startOfWeek(2900);
  const at = (hours: number): Micros => (monday + hours * HOUR) as Micros;
  const event = (id: string, change: string, own: Partial<Event>, hours: number): Event => ({
    ...eventNumber(0),
    ...{ change, repo: 'acme/ui', package: 'ui', ...own },
    id: `${change} ${id}`,
    startedAt: at(hours),
    endedAt: at(hours),
  });
  const taken = (change: string, consumer: string, hours: number): Event =>
    event(consumer, change, { stage: 'upgrade-merge', consumer }, hours);
  const changes = Array.from({ length: 40 }, (_, hour) => `c${hour}`);
  await loadEvents(database, [
    ...changes.flatMap((change, hour) => [
      event('merge', change, { stage: 'merge-wait' }, hour),
      event('out', change, { stage: 'publish', channel: 'tag', release: `v${hour}` }, hour),
      taken(change, 'fast', hour + 1),
    ]),
    // The slow consumer takes the package for the first time after 20 hours, and then nothing more.
    taken('c19', 'slow', 20),
  ]);
  const lead = { ...ERA.lead, until: 'upgraded' as const };
  const [row] = (await readReport(database, { ...ERA, lead, weeks: 1, since: monday, until: startOfWeek(2901) })).rows;
  // 40 lead times of the fast consumer, 1 of the slow one, and the 20 later changes for which the slow one waits.
  expect(row?.withWaiting).toMatchObject({ n: 61, waiting: 20, p50: { value: HOUR, isBeyond: false }, p90: { isBeyond: true } });
  expect(row?.n).toBe(41);
});

test('by stage every row says how many of the changes have arrived', async () => {
  const events = babylonEvents('after');
  const last = events.findLast(({ stage }) => stage === 'publish');
  await loadEvents(
    database,
    events.filter((event) => event !== last),
  );
  const { rows } = await readReport(database, { ...ERA, by: 'stage' });
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ coverage }) => coverage))).toEqual(new Set([247 / 248]));
});

test('changes wait for a consumer only where their package has one', async () => {
  const shipped = babylonEvents('before');
  const late = shipped.filter(({ stage }) => stage === 'merge-wait').slice(-3);
  const waits = late.map((event) => ({ ...event, id: `${event.id} late`, change: `${event.change} late` }));
  const unused = shipped
    .filter(({ consumer }) => consumer === undefined)
    .map((event) => ({ ...event, id: `${event.id} unused`, package: 'unused' }));
  await loadEvents(database, [...shipped, ...waits, ...unused]);
  const until = startOfWeek(weekOf((Date.UTC(2021, 0, 1) * 1000) as Micros));
  const ask = (end: LeadTimeQuestion['until'], by: ReportQuestion['by']): ReturnType<typeof readReport> =>
    readReport(database, {
      lead: { ready: 'merged', until: end, channels: new Set(['tag']) },
      by,
      weeks: 210,
      since: startOfWeek(weekOf(until) - 1),
      until,
      actor: 'all',
    });
  for (const end of ['upgraded', 'released', 'published'] as const) {
    for (const by of ['package', 'stage'] as const) expect([end, by, (await ask(end, by)).waiting]).toEqual([end, by, 3]);
  }
});

test('a change that two packages share is out with the later of them, whenever that is asked, and waits until then', async () => {
  const DAY = 24 * HOUR;
  const monday = startOfWeek(weekOf((Date.UTC(2026, 0, 5) * 1000) as Micros));
  const eventAt = (name: string, at: number, own: Partial<Event>): Event => {
    const endedAt = (monday + at) as Micros;
    return {
      ...eventNumber(1),
      ...own,
      id: `${own.change} ${own.stage} ${name}`,
      package: name,
      startedAt: endedAt,
      endedAt,
      recordedAt: endedAt,
    };
  };
  const merged = (change: string, name: string, at = 0): Event => eventAt(name, at, { change, stage: 'merge-wait' });
  const out = (change: string, name: string, at: number, outcome: Event['outcome'] = 'success'): Event =>
    eventAt(name, at, { change, stage: 'publish', channel: 'latest', release: `${at}`, outcome });
  const both = (change: string): Event[] => [merged(change, 'ui'), merged(change, 'core'), out(change, 'ui', HOUR)];
  await loadEvents(database, [
    ...both('later'),
    out('later', 'core', 10 * DAY),
    ...both('waits'),
    ...both('first'),
    out('first', 'core', 0, 'unmeasured'),
    merged('unpublished', 'ui'),
    merged('unpublished', 'docs'),
    out('unpublished', 'ui', 2 * HOUR),
  ]);
  const lead: LeadTimeQuestion = { ready: 'merged', until: 'published', channels: new Set(['latest']) };
  const rowOf = async (by: 'repo' | 'team' | 'package', weeks: number): Promise<readonly unknown[]> => {
    const until = startOfWeek(weekOf(monday) + weeks);
    const { rows, waiting } = await readReport(database, { lead, by, weeks, since: monday, until, actor: 'all' });
    return [rows.map(({ values, coverage }) => [values.map((value) => value / HOUR), coverage]), waiting];
  };
  for (const by of ['repo', 'team'] as const) {
    expect(await rowOf(by, 1)).toEqual([[[[1, 2], 2 / 4]], 2]);
    expect(await rowOf(by, 2)).toEqual([[[[1, 2, 240], 3 / 4]], 1]);
  }
  const until = startOfWeek(weekOf(monday) + 2);
  const { slowest, single, withWaiting } = await readDetails(database, {
    lead,
    by: 'package',
    weeks: 2,
    since: monday,
    until,
    actor: 'all',
  });
  expect(slowest.map(({ change }) => change)).toEqual(['later', 'unpublished', 'first']);
  expect([single.length, withWaiting?.waiting]).toEqual([3, 1]);
  // Of `waits`, core is on its way. docs, which `unpublished` changes too, was never published.
  expect((await rowOf('package', 2))[1]).toBe(1);
  const docs = [merged('waits', 'docs'), merged('waits', 'more')];
  await loadEvents(database, [...both('waits'), ...docs, out('later', 'core', 10 * DAY)]);
  expect((await rowOf('package', 2))[1]).toBe(1);
  // It has come out with ui before more of it, which a first publication contained, was ready.
  const early = [
    merged('early', 'ui', -12 * DAY),
    out('early', 'ui', -10 * DAY),
    merged('early', 'core'),
    out('early', 'core', HOUR, 'unmeasured'),
  ];
  await loadEvents(database, [...early, ...both('waits')]);
  const lastWeeks = {
    lead,
    by: 'package',
    weeks: 1,
    since: startOfWeek(weekOf(monday) - 3),
    until: startOfWeek(weekOf(monday) + 1),
  } as const;
  expect((await readDetails(database, { ...lastWeeks, actor: 'all' })).withWaiting).toMatchObject({ n: 1, waiting: 1 });
});

test('a change of a person and a bot counts for each in the week in which their last package came out', async () => {
  const monday = startOfWeek(weekOf((Date.UTC(2026, 0, 5) * 1000) as Micros));
  const at = (name: string, stage: Event['stage'], week: number, actor: Event['actor']): Event => {
    const endedAt = (monday + week * 7 * 24 * HOUR) as Micros;
    const own = { change: 'shared', channel: 'latest', release: name, startedAt: endedAt, endedAt, recordedAt: endedAt };
    return { ...eventNumber(1), ...own, id: `${name} ${stage}`, package: name, stage, actor };
  };
  const ofBot = [at('core', 'merge-wait', 0, 'bot'), at('core', 'publish', 8, 'bot')];
  await loadEvents(database, [at('ui', 'merge-wait', 0, 'person'), at('ui', 'publish', 1, 'person'), ...ofBot]);
  const lead: LeadTimeQuestion = { ready: 'merged', until: 'published', channels: new Set(['latest']) };
  const ask = async (actor: 'person' | 'bot', week: number): Promise<unknown> => {
    const until = startOfWeek(weekOf(monday) + week + 1);
    const { rows } = await readReport(database, { lead, by: 'repo', weeks: 1, since: (until - 7 * 24 * HOUR) as Micros, until, actor });
    return rows.map(({ n }) => n);
  };
  expect([await ask('person', 1), await ask('person', 8), await ask('bot', 8)]).toEqual([[1], [], [1]]);
});
