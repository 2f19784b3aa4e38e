import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { ERA } from '../facts/era.fixture.js';
import { babylonEvents, tagToUpload } from '../facts/facts.fixture.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { ReportDetails } from '../report/details.js';
import { type ReportQuestion, startOfWeek, WEEK, weekOf } from '../report/question.js';
import type { ReportRow } from '../report/report.js';
import type { SideQuestion } from '../report/side.js';
import { percentile } from '../statistics/percentile.js';
import { Database } from './database.js';
import { readComparison } from './read-comparison.js';
import { readDetails } from './read-details.js';
import { readReport } from './read-report.js';
import { readSide } from './read-side.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

const HOUR = 3600 * 1e6;

/** Returns the report of a whole era as one row. */
async function eraRow(era: 'before' | 'after', until: LeadTimeQuestion['until']): Promise<ReportRow | undefined> {
  await loadEvents(database, babylonEvents(era));
  return (await readReport(database, { ...ERA, lead: { ...ERA.lead, until } })).rows[0];
}

// Facts of a real move into a monorepo, and the figures of an independent computation.
test.each([
  ['before', 'released', { n: 219, releases: 12, p50: 381.4, p90: 822.8 }],
  ['after', 'published', { n: 248, releases: 42, p50: 122.6, p90: 397.4 }],
] as const)('babylon %s the move', async (era, until, expected) => {
  const row = await eraRow(era, until);
  expect(row).toMatchObject({ n: expected.n, releases: expected.releases, coverage: 1 });
  expect((row?.p50?.value ?? 0) / HOUR).toBeCloseTo(expected.p50, 1);
  expect((row?.p90?.value ?? 0) / HOUR).toBeCloseTo(expected.p90, 1);
  // Some of the 42 releases are much larger than others. So they bound a P90 no better than the 12 do.
  const { low = 0, high = 0 } = row?.p50?.interval ?? {};
  expect([low / HOUR < expected.p50, high / HOUR > expected.p50, row?.p90?.interval]).toEqual([true, true, undefined]);
});

test('packages that came to one version at different times count as so many releases, in a report and in a comparison', async () => {
  const monday = eventNumber(0).startedAt;
  const events = Array.from({ length: 30 }, (_, at): readonly Event[] => {
    const day = 1 + (at % 3);
    const endedAt = (monday + day * 24 * HOUR) as Micros;
    const published = { ...eventNumber(at), package: `package-${day}`, channel: 'latest', release: '1.1.0', endedAt, recordedAt: endedAt };
    return [published, { ...published, id: `m${at}`, stage: 'merge-wait', endedAt: published.startedAt }];
  });
  await loadEvents(database, events.flat());
  const until = startOfWeek(weekOf(monday) + 1);
  const lead = { ...ERA.lead, channels: new Set(['latest']) };
  for (const by of ['repo', 'team', 'stage'] as const) {
    const { rows } = await readReport(database, { ...ERA, lead, by, weeks: 1, since: monday, until });
    expect(new Set(rows.map(({ n, releases, p50 }) => `${by} ${n} ${releases} ${typeof p50?.interval}`))).toEqual(
      new Set([`${by} 30 3 undefined`]),
    );
  }
  const side = { lead, since: 0 as Micros, until, repos: [], packages: [] };
  expect((await readSide(database, side)).figures).toMatchObject({ n: 30, releases: 3 });
});

test('two versions of one package are two releases, whatever versions others had at the time', async () => {
  const monday = eventNumber(0).startedAt;
  const out = (at: number, own: Partial<Event>): readonly Event[] => {
    const published = { ...eventNumber(at), channel: 'latest', ...own };
    return [published, { ...published, id: `m${at}`, stage: 'merge-wait', endedAt: published.startedAt }];
  };
  const [first, second] = [1, 1.2].map((hours) => (monday + hours * HOUR) as Micros);
  await loadEvents(database, [
    ...out(1, { package: 'ui', release: '3.0.0', endedAt: first as Micros }),
    ...out(2, { package: 'api', release: '3.0.1', endedAt: first as Micros }),
    ...out(3, { package: 'ui', release: '3.0.1', endedAt: second as Micros }),
  ]);
  const until = startOfWeek(weekOf(monday) + 1);
  const lead = { ...ERA.lead, channels: new Set(['latest']) };
  const { rows } = await readReport(database, { ...ERA, lead, by: 'package', weeks: 1, since: monday, until });
  expect(rows.map(({ group, n, releases }) => `${group} ${n} ${releases}`).sort()).toEqual(['api 1 1', 'ui 2 2']);
});

test('a tag stands for an upload: half of 195 came within 8 seconds, nine of ten within 38', () => {
  const seconds = tagToUpload();
  expect(seconds).toHaveLength(195);
  expect(percentile(seconds, 0.5)).toBeCloseTo(7.2, 1);
  expect(percentile(seconds, 0.9)).toBeCloseTo(37.6, 1);
});

test('a way from the approval on says of how many changes nobody knows one', async () => {
  const events = babylonEvents('after');
  const approved = new Set(events.slice(0, 40).map(({ change }) => change));
  await loadEvents(
    database,
    events.map((event) =>
      event.stage === 'merge-wait' ? { ...event, confidence: approved.has(event.change) ? 'exact' : ('derived' as const) } : event,
    ),
  );
  const until = startOfWeek(weekOf((Date.UTC(2021, 0, 1) * 1000) as Micros));
  const ask = async (ready: LeadTimeQuestion['ready'], weeks: number): Promise<number> => {
    const lead = { ready, until: 'published', channels: new Set(['tag']) } as const;
    const times = { weeks, since: startOfWeek(weekOf(until) - 1), until };
    return (await readReport(database, { lead, by: 'package', ...times, actor: 'all' })).unapproved;
  };
  expect(await ask('approved', 210)).toBe(248 - approved.size);
  expect(await ask('merged', 210)).toBe(0);
  expect(await ask('approved', 6)).toBe(0);
});

test('where nothing has arrived the record says when something has, and which publications it knows', async () => {
  await loadEvents(database, babylonEvents('after'));
  const ask = (channel: string): ReturnType<typeof readReport> =>
    readReport(database, {
      lead: { ready: 'merged', until: 'published', channels: new Set([channel]) },
      by: 'package',
      weeks: 6,
      actor: 'all',
      since: startOfWeek(weekOf((Date.UTC(2030, 0, 7) * 1000) as Micros)),
      until: startOfWeek(weekOf((Date.UTC(2031, 0, 6) * 1000) as Micros)),
    });
  const late = await ask('tag');
  expect(late.rows).toEqual([]);
  expect(late.elsewhere).toMatchObject({ n: 248, channels: [{ channel: 'tag' }] });
  expect(new Date((late.elsewhere?.last ?? 0) / 1000).getUTCFullYear()).toBeLessThan(2030);
  expect((await ask('latest')).elsewhere).toMatchObject({ n: 0, first: undefined, last: undefined });
  const publications = late.elsewhere?.channels;
  await loadEvents(
    database,
    babylonEvents('after').map((event) => (event.stage === 'publish' ? { ...event, outcome: 'unmeasured' } : event)),
  );
  expect((await ask('latest')).elsewhere).toMatchObject({ n: 0, channels: publications });
});

/** A question by repository about tagged versions, with `points` points up to a day. */
function byRepo(day: number, { weeks, points }: { readonly weeks: number; readonly points: number }): ReportQuestion {
  const lead: LeadTimeQuestion = { ready: 'merged', until: 'published', channels: new Set(['tag']) };
  const last = weekOf((day * 1000) as Micros);
  return { lead, by: 'repo', weeks, since: startOfWeek(last - points), until: startOfWeek(last), actor: 'all' };
}

test('the page says of the last weeks what the table says', async () => {
  await loadEvents(database, babylonEvents('after'));
  const question = byRepo(Date.UTC(2018, 6, 2), { weeks: 26, points: 3 });
  const { rows } = await readReport(database, question);
  const { trend, single, waterfall, slowest } = await readDetails(database, question);
  expect(trend.at(-1)).toEqual({
    endsAt: question.until,
    n: rows[0]?.n,
    atLeast: rows[0]?.atLeast,
    p50: rows[0]?.p50,
    p90: rows[0]?.p90,
  });
  expect([trend.length, single, slowest.length]).toEqual([3, [], 10]);
  expect(waterfall?.n).toBeGreaterThan((rows[0]?.n ?? 0) / 10);
});

test('the page has a figure of as many weeks before if a comparison would claim the difference, whatever its chart shows', async () => {
  await loadEvents(database, babylonEvents('after'));
  const previousOf = async (points: number, earliest?: Micros): Promise<ReportDetails['previous']> =>
    (await readDetails(database, { ...byRepo(Date.UTC(2018, 6, 2), { weeks: 13, points }), earliest })).previous;
  expect(await previousOf(3)).toEqual(await previousOf(20));
  const { lead, until } = byRepo(Date.UTC(2018, 6, 2), { weeks: 13, points: 3 });
  const sideOf = (weeks: number): SideQuestion => {
    const since = (until - weeks * WEEK) as Micros;
    return { lead, repos: [], packages: [], since, until: (since + 13 * WEEK) as Micros };
  };
  const { difference, verdict } = (await readComparison(database, { before: sideOf(26), after: sideOf(13) })).p50;
  expect((await previousOf(3)).p50).toBe(verdict === 'shorter' || verdict === 'longer' ? difference?.before : undefined);
  // A report with a first day shows nothing from before it.
  expect(await previousOf(3, startOfWeek(weekOf((Date.UTC(2018, 6, 2) * 1000) as Micros) - 13))).toEqual({});
});

test('weeks with few changes have each of them, and no waterfall', async () => {
  await loadEvents(database, babylonEvents('after').slice(0, 8));
  const question = byRepo(Date.UTC(2017, 10, 27), { weeks: 6, points: 12 });
  const { rows } = await readReport(database, question);
  const { single, waterfall } = await readDetails(database, question);
  expect(single.map(({ total }) => total).sort((a, b) => a - b)).toEqual(rows[0]?.values);
  expect([single.length, waterfall]).toEqual([4, undefined]);
});

test('nothing outside of the time that was asked for counts, in no figure and in no point', async () => {
  const monday = startOfWeek(2900);
  const day = (at: number): Micros => (monday + at * 24 * HOUR) as Micros;
  // One change a day for four weeks, each an hour long.
  const events = Array.from({ length: 28 }, (_, at): readonly Event[] => {
    const base = { ...eventNumber(0), change: `c${at}`, repo: 'acme/ui', package: 'ui' };
    const moment = (stage: 'merge-wait' | 'publish', endedAt: number): Event => ({
      ...base,
      id: `${stage}${at}`,
      stage,
      startedAt: endedAt as Micros,
      endedAt: endedAt as Micros,
    });
    return [moment('merge-wait', day(at) - HOUR), { ...moment('publish', day(at)), channel: 'tag', release: `v${at}` }];
  }).flat();
  await loadEvents(database, events);
  const counted = async (asked: Partial<ReportQuestion>): Promise<readonly number[]> => {
    const weeks = { weeks: 4, since: startOfWeek(2902), until: startOfWeek(2904) };
    const [row] = (await readReport(database, { ...ERA, ...weeks, ...asked })).rows;
    return [row?.n ?? 0, ...(row?.points ?? []).map(({ n }) => n)];
  };
  expect(await counted({})).toEqual([28, 21, 28]);
  expect(await counted({ earliest: startOfWeek(2902) })).toEqual([14, 7, 14]);
  // Also in the middle of a week.
  expect(await counted({ earliest: day(16), before: day(26) })).toEqual([10, 5, 10]);
  expect(await counted({ weeks: 1, earliest: day(16) })).toEqual([7, 5, 7]);
});
