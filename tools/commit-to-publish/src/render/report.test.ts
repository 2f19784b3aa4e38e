import { expect, test } from '@jest/globals';
import type { Micros } from '../model/event.js';
import { emptyContent, fewContent, manyContent, pageContent } from './content.fixture.js';
import { type PageContent, renderPage } from './html/page.js';
import { formatReport } from './markdown/report.js';
import { renderReport } from './report.js';
import { describeFew } from './sentences.js';
import type { Signs } from './signs.js';

function shown({ report, migrations }: PageContent, { width = 80, signs = 'unicode' as Signs } = {}): string {
  return renderReport({ report, migrations }, { width, signs, bold: (text) => text });
}

test('80 columns are enough for the figures, and names keep their ends', () => {
  const lines = shown(manyContent()).split('\n');
  const rows = lines.filter((line) => /age-\d+ +\d+ +97 % .*\(/.test(line));
  expect(rows.length).toBe(9);
  expect(rows.filter((line) => line.length > 80)).toEqual([]);
  expect(rows[0]).toMatch(/^@acme\/package-0 .* [▁-█]{4}$/);
});

test('the weeks are left out before names get too short', () => {
  const content = manyContent();
  const rows = content.report.rows.slice(0, 2).map((row, at) => ({ ...row, group: `@acme/some-long-name-${at}` }));
  const lines = (width: number): readonly string[] =>
    shown({ ...content, report: { ...content.report, rows } }, { width })
      .split('\n')
      .slice(3, 5);
  for (const [at, line] of lines(80).entries()) expect(line).toMatch(new RegExp(`^@acme/some-long-name-${at} .*\\d d\\)$`));
  for (const line of lines(100)) expect(line).toMatch(/^@acme\/some-long-name-\d .* [▁-█]{8,}$/);
});

test('brackets are explained only where one stands', () => {
  expect(shown(manyContent())).toContain('Brackets: 95 % interval');
  expect(shown(fewContent())).not.toContain('Brackets');
});

const LONG = `@acme/${'long-'.repeat(60)}end`;

/** Returns the length of the longest word, which a terminal cannot break. */
function longestWord(text: string): number {
  return Math.max(...text.split(/\s+/).map(({ length }) => length));
}

test.each([
  ['few changes', fewContent],
  ['many changes', manyContent],
  ['nothing', emptyContent],
])('of %s: names of hundreds of letters lose their middle on a terminal, and nothing elsewhere', (_, contentOf) => {
  const content = contentOf();
  const { report } = content;
  const named: PageContent = {
    ...content,
    report: {
      ...report,
      question: { ...report.question, lead: { ...report.question.lead, channels: new Set([LONG]) } },
      rows: report.rows.map((row) => ({ ...row, group: LONG })),
      elsewhere: report.elsewhere && { ...report.elsewhere, channels: [{ channel: `${LONG}2`, n: 3 }] },
    },
    migrations: content.migrations.map((migration) => ({ ...migration, package: LONG })),
  };
  expect(longestWord(shown(named))).toBeLessThanOrEqual(46);
  expect(shown(named)).toMatch(/@acme\/long-\S*…\S*-end/);
  expect(shown(named, { width: Number.POSITIVE_INFINITY })).not.toContain('…');
});

test('where long intervals leave no room for all weeks fewer are drawn, or none, and no line is broken', () => {
  const content = manyContent();
  const long = { value: 22 * 60e6, interval: { low: 17 * 60e6, high: 47.5 * 60e6 } };
  const rows = content.report.rows.slice(0, 3).map((row, at) => ({ ...row, group: `ui-${at}`, p50: long, p90: long }));
  const lines = (width: number): readonly string[] =>
    shown({ ...content, report: { ...content.report, rows } }, { width })
      .split('\n')
      .slice(2, 6);
  expect(lines(80).filter((line) => line.length > 80)).toEqual([]);
  expect(lines(80)[1]).toMatch(/ [▁-█]{4}$/);
  expect(lines(76)[1]).toMatch(/\(17 min - 48 min\)$/);
});

test('a terminal without Unicode gets digits for weeks', () => {
  expect(shown(pageContent(), { signs: 'ascii', width: 120 })).toMatch(/ [1-8]{12}\n/);
  expect(shown(pageContent(), { width: 120 })).toMatch(/ [▁-█]{12}\n/);
});

test('of few changes each is listed, and nothing is said of percentiles that are not there', () => {
  const text = shown(fewContent());
  expect(text).toContain('@acme/few-4  4     97 %  7.0 h, 14 h, 21 h, 1.2 d');
  expect(text).not.toMatch(/P50|n < /);
  expect(text).toContain('1 of the changes of these weeks has not arrived yet: figures of what arrived do not count them.');
});

test('what has no approval is told where the way begins with it', () => {
  const content = pageContent();
  expect(shown({ ...content, report: { ...content.report, unapproved: 7 } })).toContain(
    '7 of the changes have no approval that is known: counted from',
  );
  expect(shown(content)).not.toContain('approval');
});

const row = (n: number): { readonly n: number } => ({ n });

test.each<[title: string, counts: readonly number[], expected: string]>([
  ['no row lacks anything', [40, 36], ''],
  ['one row', [4], 'The one row has fewer than 10 changes: each is shown by itself.'],
  [
    'some have none',
    [40, 12, 4, 0, 0],
    '1 of 5 rows has fewer than 10 changes: each is shown by itself. Of the others 1 has fewer than 36, and no P90. 2 of 5 rows have no change that arrived in these weeks.',
  ],
  [
    'none has few, one has none',
    [40, 12, 0],
    '1 of 3 rows has fewer than 36 changes, and no P90. 1 of 3 rows has no change that arrived in these weeks.',
  ],
  ['all have none', [0, 0], '2 of 2 rows have no change that arrived in these weeks.'],
  ['the one has none', [0], 'The one row has no change that arrived in these weeks.'],
])('%s: what has no change is not counted among what has few', (_, counts, expected) => {
  expect(describeFew(counts.map(row))).toBe(expected);
});

test('rows without a change in these weeks are not listed, only counted, unless some wait', () => {
  const content = pageContent();
  const none = { ...content.report.rows[3], n: 0, values: [], coverage: undefined } as (typeof content.report.rows)[number];
  const rows = [none, { ...none, group: 'waits', coverage: 0 }];
  const mixed = { ...content, report: { ...content.report, rows: [...content.report.rows.slice(0, 3), ...rows] } };
  for (const text of [shown(mixed), formatReport(mixed), renderPage(mixed)]) {
    expect(text).not.toContain('@acme/few');
    expect(text).toContain('waits');
    expect(text).toContain('2 of 5 rows have no change that arrived in these weeks.');
  }
  const elsewhere = { n: 7, first: 0 as Micros, last: 864e8 as Micros, channels: [] };
  const nothing = { ...content, report: { ...content.report, rows, elsewhere } };
  for (const text of [shown(nothing), formatReport(nothing), renderPage(nothing).split('<section>')[0] ?? ''])
    expect(text).toMatch(/Nothing has arrived in this time\. 3 of the changes of these weeks\s+have not arrived yet\. The 7 changes/);
  for (const text of [shown(nothing), formatReport(nothing)]) expect(text).not.toContain('@acme/few');
});

test('rows with few changes are told', () => {
  expect(shown(pageContent())).toContain(
    '1 of 4 rows has fewer than 10 changes: each is shown by itself. Of the others 1 has fewer than 36, and no P90.',
  );
});

test('migrations in the time of the report are told, with as many names as can be read', () => {
  expect(shown(pageContent())).toContain(
    'Moved into the monorepo in the weeks shown: 2026-03-10 @acme/ui; 2026-04-28 <b>bold</b>; 2026-05-05 @acme/a, @acme/b.',
  );
  expect(shown(manyContent())).toMatch(/; and 3 times more\.$/m);
});

test('where nothing has arrived there are no figures to speak of', () => {
  const content = emptyContent();
  for (const [waiting, has] of [
    [1, 'has'],
    [2, 'have'],
  ] as const)
    expect(shown({ ...content, report: { ...content.report, waiting } })).toContain(
      `Nothing has arrived in this time. ${waiting} of the changes of these weeks ${has} not arrived yet. The record`,
    );
});

test.each<[title: string, change: Partial<NonNullable<PageContent['report']['elsewhere']>>, expected: RegExp]>([
  ['other channels', {}, /other publications: <i>beta<\/i> \(3\)/],
  ['no publication', { channels: [] }, /no publications yet/],
  ['the channel, and nothing that arrived', { channels: [{ channel: 'latest', n: 3 }] }, /No change of the record has arrived there/],
  [
    'another day',
    { n: 3, first: 0 as never, last: 3600e6 as never },
    /The 3 changes of the record arrived on 1970-01-01\. Show them: --since 1970-01-01 --until 1970-01-02\./,
  ],
  [
    'another time',
    { n: 7, first: 0 as never, last: 864e8 as never },
    /The 7 changes of the record arrived from 1970-01-01 to 1970-01-02\. Show them: --since 1970-01-01 --until 1970-01-03\./,
  ],
])('an empty time: the record has %s', (_, change, expected) => {
  const content = emptyContent();
  const { elsewhere } = content.report;
  if (elsewhere === undefined) throw new Error('it is known');
  expect(shown({ ...content, report: { ...content.report, elsewhere: { ...elsewhere, ...change } } })).toMatch(expected);
});

test('figures that waiting changes move by more than a tenth are told, and the column is there only where something waits', () => {
  const wide = shown(pageContent(), { width: 200 }).replaceAll('\u00a0', ' ');
  expect(wide).toMatch(/@acme\/ui .* 9\.2 h, > 4\.2 d /);
  expect(wide).toContain(
    'With waiting, these figures of the changes that were ready differ by more than a tenth from those that arrived: @acme/ui (P90).',
  );
  expect(shown(manyContent(), { width: 200 })).not.toMatch(/with waiting/i);
});
