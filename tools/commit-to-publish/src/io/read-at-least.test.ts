// A publication with a lightweight tag has no time of its own: what is measured to it is a lower bound, wherever it is shown.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEvents } from '../engine/load-events.fixture.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { renderComparison } from '../render/comparison.js';
import { comparisonDocument } from '../render/document.js';
import { renderPage } from '../render/html/page.js';
import { formatComparison } from '../render/markdown/comparison.js';
import { formatReport } from '../render/markdown/report.js';
import { renderPrediction } from '../render/prediction.js';
import { renderReport } from '../render/report.js';
import { describeVerdict } from '../render/verdict.js';
import { parseFailRule } from '../report/fail-rule.js';
import { type MovePrediction, predict } from '../report/predict.js';
import { type ReportQuestion, startOfWeek, weekOf } from '../report/question.js';
import type { SideQuestion } from '../report/side.js';
import { Database } from './database.js';
import { readComparison } from './read-comparison.js';
import { readDetails } from './read-details.js';
import { readReport, readVerdicts } from './read-report.js';
import { readSide } from './read-side.js';

const HOUR = 3600e6;
const STYLE = { width: 120, signs: 'ascii', bold: String } as const;
const MONDAY = startOfWeek(2600);

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(async () => {
  await database.close();
});

/** Returns a change that was published, at the moment of its merge as far as git knows, and upgraded to and released 2 and 4 hours later. */
function change(number: number): readonly Event[] {
  const merged = MONDAY + number * HOUR;
  const event = (stage: Event['stage'], hours: number, own: Partial<Event> = {}): Event => ({
    ...eventNumber(1),
    ...{ id: `${number} ${stage} ${hours}`, change: String(number), package: 'ui', stage, confidence: 'exact', ...own },
    ...{ startedAt: (merged + hours * HOUR) as Micros, endedAt: (merged + hours * HOUR) as Micros },
  });
  const out = { channel: 'latest', release: `1.${number}.0`, outcome: 'success', confidence: 'at-least' } as const;
  return [
    event('merge-wait', 0),
    event('publish', 0, out),
    event('upgrade-open', 1, { consumer: 'app' }),
    event('upgrade-merge', 2, { consumer: 'app' }),
    event('publish', 4, { ...out, consumer: 'app', confidence: 'exact' }),
  ];
}

function question(until: 'published' | 'upgraded' | 'released', by: ReportQuestion['by']): ReportQuestion {
  const lead = { ready: 'merged', until, channels: new Set(['latest']) } as const;
  return { lead, by, weeks: 1, since: MONDAY, until: startOfWeek(weekOf(MONDAY) + 1), actor: 'all' };
}

test.each([
  ['few', 3],
  ['enough', 40],
])('of %s changes no page calls a lower bound of nothing 0.0 s', async (_, count) => {
  await loadEvents(database, Array.from({ length: count }, (_unused, at) => change(at)).flat());
  const asked = question('published', 'package');
  const report = await readReport(database, asked);
  const content = { report, details: await readDetails(database, asked), migrations: [], subjects: new Map(), generator: 'test 1' };
  const [page, markdown] = [renderPage(content), formatReport(content)];
  for (const shown of [page, markdown])
    expect(
      shown
        .split('0.0 s')
        .slice(0, -1)
        .map((text) => text.slice(-60)),
    ).toEqual([]);
  for (const shown of [page, markdown]) expect(shown.split('The slowest changes').slice(1).join('')).toContain('unknown');
});

test('a publication that is a lower bound makes only the stages and ends that it bounds one', async () => {
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => change(at)).flat());
  // The publications have no length, so nobody knows how long they took.
  const publishing = ['publish-wait'];
  const bounds = async (until: 'upgraded' | 'released', by: ReportQuestion['by']): Promise<readonly string[]> =>
    (await readReport(database, question(until, by))).rows.flatMap(({ atLeast, group }) => (atLeast > 0 ? [group] : [])).sort();
  expect([await bounds('upgraded', 'stage'), await bounds('released', 'stage')]).toEqual([publishing, publishing]);
  expect([await bounds('upgraded', 'package'), await bounds('released', 'package')]).toEqual([[], []]);
  const { slowest, trend } = await readDetails(database, question('released', 'package'));
  expect([slowest[0]?.atLeast, trend[0]?.atLeast]).toEqual([0, 0]);
});

test('the weeks of a row count their lower bounds, and the drawing has a gap for them', async () => {
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => change(at)).flat());
  const drawn = async (until: 'published' | 'upgraded'): Promise<readonly unknown[]> => {
    const report = await readReport(database, question(until, 'package'));
    const text = renderReport({ report, migrations: [] }, STYLE);
    return [report.rows[0]?.points.map(({ n, atLeast }) => [n, atLeast]), text.includes('A gap in the weeks is a lower bound')];
  };
  expect(await drawn('published')).toEqual([[[40, 40]], true]);
  expect(await drawn('upgraded')).toEqual([[[40, 0]], false]);
});

test('of tests that a lower bound cuts off, it leaves one, and an upgrade that opens after it took an unknown time', async () => {
  const tested = (at: number): readonly Event[] => {
    const [merge, ...others] = change(at);
    const endedAt = (MONDAY + (at + 3) * HOUR) as Micros;
    return merge === undefined ? [] : [merge, { ...merge, id: `${at} tests`, stage: 'post-merge-tests', endedAt }, ...others];
  };
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => tested(at)).flat());
  const { rows } = await readReport(database, question('upgraded', 'stage'));
  const stages = rows.map(({ group, atLeast, points }) => `${group} ${atLeast} ${points.length}`).sort();
  expect(stages).toEqual(['post-merge-tests 40 1', 'publish-wait 40 1', 'upgrade-merge 0 1']);
  const waterfallTo = async (until: 'published' | 'upgraded'): Promise<unknown> =>
    (await readDetails(database, question(until, 'package'))).waterfall?.stages.map(({ stage, atLeast }) => [stage, atLeast > 0]);
  expect(await waterfallTo('published')).toEqual(['post-merge-tests', 'publish-wait', 'publish'].map((stage) => [stage, true]));
  expect(await waterfallTo('upgraded')).toBeUndefined();
  // Both say why: of 40 changes no row, and of the fifth around the median no chart.
  const byStage = await readReport(database, question('upgraded', 'stage'), 'stages');
  const content = { report: byStage, details: await readDetails(database, question('upgraded', 'package')), migrations: [] };
  expect(byStage.unknownOpen).toBe(40);
  const near = content.details.unknownOpen;
  expect(near).toBeGreaterThanOrEqual(8);
  expect(renderReport(content, STYLE)).toMatch(/For 40 changes, .* unknown, .*: upgrade-open does not count them\./);
  const shown = { ...content, subjects: new Map(), generator: 'test 1' };
  for (const text of [renderPage(shown), formatReport(shown)])
    expect(text).toMatch(
      new RegExp(`For ${near} changes, .* unknown, .*the changes (?:around|nearest to) the median cannot be split into stages\\.`),
    );
  expect(formatReport(shown)).toContain('A gap in the weeks is a lower bound');
  const comparison = await readComparison(database, { before: side('upgraded'), after: side('published') });
  const text = renderComparison(comparison, undefined, STYLE);
  for (const stage of ['post-merge-tests', 'publish']) expect(text).toMatch(new RegExp(`^${stage} +unknown +unknown$`, 'm'));
  expect(text).toMatch(/^upgrade-open +unknown *$/m);
  expect(text).toMatch(/^upgrade-merge +1\.0 h *$/m);
  const prediction = predict(await readSide(database, side('published')), {
    side: side('published'),
    without: ['publish-wait', 'publish'],
  });
  expect(prediction.scenarios.map(({ atLeast }) => atLeast)).toEqual([40]);
});

function side(until: 'published' | 'upgraded' | 'released'): SideQuestion {
  const { lead, since, until: end } = question(until, 'package');
  return { lead, since, until: end, repos: [], packages: [] };
}

test('a comparison claims no difference from lower bounds, and shows them as such', async () => {
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => change(at)).flat());
  const comparison = await readComparison(database, { before: side('released'), after: side('published') });
  const { before, after, p50, p90 } = comparison;
  expect([before.atLeast, after.atLeast, p50.verdict, p90.verdict]).toEqual([0, 40, 'lower bounds', 'lower bounds']);
  expect(comparisonDocument(comparison, undefined)).toMatchObject({
    p50: { difference: { before: 4 * HOUR, change: null, interval: null } },
  });
  const text = renderComparison(comparison, undefined, STYLE);
  expect(text).toMatch(/^P50 +4\.0 h +unknown +lower bounds$/m);
  expect(text).toContain('after (40)');
  expect(formatComparison(comparison, undefined)).toMatch(/^## Lead time, before and after: no claim$/m);
});

test('a prediction says which of its figures are lower bounds, and saves nothing by them', async () => {
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => change(at)).flat());
  const ask = async (until: 'published' | 'released', without: readonly string[]): Promise<MovePrediction> =>
    predict(await readSide(database, side(until)), { side: side(until), without });
  const bounds = ({ now, scenarios }: MovePrediction): unknown => [now.atLeast, ...scenarios.map(({ atLeast }) => atLeast)];
  const released = await ask('released', []);
  expect(bounds(released)).toEqual([0, 40, 0]);
  expect(renderPrediction(released, STYLE)).toMatch(/^as the package +unknown +unknown$/m);
  expect(renderPrediction(released, STYLE)).toMatch(/^as the consumer .*h\) +2\.0 h +2\.0 h$/m);
  // The upgrade was opened that much sooner after a publication that was later; with the publication, both are known.
  expect(bounds(await ask('released', ['publish']))).toEqual([0, undefined]);
  expect(bounds(await ask('released', ['upgrade-tests']))).toEqual([0, 0]);
  expect(bounds(await ask('published', ['publish-wait']))).toEqual([40, 40]);
});

test('no limit is kept by lower bounds', async () => {
  await loadEvents(database, Array.from({ length: 40 }, (_, at) => change(at)).flat());
  const rules = ['p50>1h', 'p90>2w'].flatMap((text) => parseFailRule(text) ?? []);
  const verdicts = await readVerdicts(database, await readReport(database, question('published', 'package')), rules);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown']);
  expect(verdicts.map(describeVerdict)[0]).toMatch(
    /^ui: it is unknown whether its P50 breaks p50>1h\. Changes whose publication has no certain/,
  );
  const upgraded = await readVerdicts(database, await readReport(database, question('upgraded', 'package')), rules);
  expect(upgraded.map(({ verdict }) => verdict)).toEqual(['broken', 'kept']);
});
