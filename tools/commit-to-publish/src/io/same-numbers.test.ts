// Every number of a report has its twin in the other forms: on the page, in Markdown, as text and as JSON.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { reportDocument } from '../render/document.js';
import { renderPage } from '../render/html/page.js';
import { formatReport } from '../render/markdown/report.js';
import { renderReport } from '../render/report.js';
import { reportColumns } from '../render/report-columns.js';
import { formatDay, formatLength, formatMoment } from '../render/times.js';
import { type ReportQuestion, startOfWeek, WEEK } from '../report/question.js';
import { Database } from './database.js';
import { writeEvents } from './journal.js';
import { readDetails } from './read-details.js';
import { readReport } from './read-report.js';
import { withEvents } from './record.js';

const HOUR = 3600e6;
const UNTIL = startOfWeek(2600);
const SINCE = (UNTIL - 8 * WEEK) as Micros;

interface Made {
  readonly package: string;
  readonly number: number;
  /** In hours from the merge; `undefined`: it waits. */
  readonly wait: number | undefined;
  readonly confidence?: Event['confidence'];
  readonly actor?: Event['actor'];
}

/** Returns the events of a change, an hour after the one with the number before. Changes of one number in several packages are one. */
function change({ package: name, number, wait, confidence = 'exact', actor = 'person' }: Made): readonly Event[] {
  const merged = SINCE + (number * 17 + 5) * HOUR;
  const event = (stage: Event['stage'], hours: number, { length = 0, ...own }: Partial<Event> & { length?: number } = {}): Event => ({
    ...eventNumber(number),
    ...{ id: `${name} ${number} ${stage}`, change: `#${number}`, package: name, stage, actor, ...own },
    ...{ startedAt: (merged + (hours - length) * HOUR) as Micros, endedAt: (merged + hours * HOUR) as Micros },
  });
  const release = `${name} ${Math.floor(number / 4)}`;
  const merge = event('merge-wait', 0);
  return wait === undefined ? [merge] : [merge, event('publish', wait, { length: wait / 3, channel: 'latest', release, confidence })];
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A package with an outlier and with changes that wait, one with lower bounds, one with few changes, and what filters leave out. */
const EVENTS = [
  ...numbers(70).flatMap((number) => {
    const wait = number % 6 === 5 ? undefined : number === 8 ? 900 : 1.3 + ((number * 37) % 61);
    return change({ package: '@acme/ui', number, wait });
  }),
  ...numbers(25).flatMap((at) =>
    change({ package: '@acme/tagged', number: 2 * at, wait: (at * 11) % 29, confidence: at % 3 === 0 ? 'at-least' : 'exact' }),
  ),
  ...numbers(5).flatMap((at) => change({ package: '@acme/few', number: 60 + at, wait: at === 4 ? undefined : 40 * at })),
  ...numbers(9).flatMap((at) =>
    change({ package: '@acme/bound', number: 50 + at, wait: 30 * at, confidence: at === 2 ? 'exact' : 'at-least' }),
  ),
  ...numbers(30).flatMap((at) => change({ package: '@acme/ui', number: 100 + at, wait: 7.7, actor: 'bot' })),
  ...numbers(20).flatMap((at) => change({ package: '@acme/left-out', number: 200 + at, wait: 3.3 })),
  ...numbers(119).flatMap((at) => change({ package: '@acme/faster', number: at - 40, wait: at < 60 ? 30.3 + (at % 11) : 2.2 + (at % 3) })),
];

const QUESTION: ReportQuestion = {
  lead: { ready: 'merged', until: 'published', channels: new Set(['latest']), changes: 'published' },
  ...{ by: 'package', weeks: 6, since: SINCE, until: UNTIL, actor: 'person' },
};
const ONLY = ['@acme/ui', '@acme/tagged', '@acme/few', '@acme/bound'];

const folder = new TempFolder();
const record = folder.join('record') as AbsolutePath;
let database: Database;
beforeAll(async () => {
  database = await Database.open();
  writeEvents(record, EVENTS);
});
afterAll(async () => {
  await database.close();
  folder.dispose();
});

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface Forms {
  readonly text: string;
  readonly markdown: string;
  readonly page: string;
  readonly json: { readonly [key: string]: Json };
}

async function formsOf(question: ReportQuestion, packages: readonly string[] = ONLY): Promise<Forms> {
  const work = async (): Promise<Forms> => {
    const report = await readReport(database, question, 'stages');
    // A drawing has no numbers, but a note of how many weeks it has.
    const columns = reportColumns(question.by).filter(({ kind }) => kind !== 'drawing');
    const content = { report, details: await readDetails(database, question), migrations: [], subjects: new Map(), generator: 'test' };
    return {
      text: plain(renderReport(content, { width: 200, signs: 'unicode', bold: String }, columns)),
      markdown: plain(formatReport(content, columns).replace(/[`*|]|[#-]{2,}/g, ' ')),
      page: plain(textOf(renderPage(content))),
      json: JSON.parse(JSON.stringify(reportDocument(content))) as Forms['json'],
    };
  };
  return withEvents(database, record, work, { changes: 'published', only: { packages, repos: [] } });
}

/** Returns what a reader of a page sees outside of its charts, a row of a table as a line. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf('<h1>')).replace(/<svg[\s\S]*?<\/svg>/g, '');
  const lines = body
    .replace(/<\/(?:tr|p|li|h\d|dd|dt|small)>/g, '\n')
    .replaceAll('<wbr>', '')
    .replace(/<[^>]+>/g, ' ');
  return lines.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

/** Writes the words of a sentence for a bound as a table does. */
function plain(text: string): string {
  return text
    .replace(/[\u00a0\u2011]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/\bat least (?=\d)/g, '>= ')
    .replace(/\bmore than (?=\d)/g, '> ');
}

const NUMBER = /(?:>=? )?(?<![\w@/#.-])\d[\d-]*(?:\.\d+)?(?::\d\d)?(?: (?:s|min|h|d|%)(?!\w))?|\bunknown\b/g;

function numbersIn(text: string): readonly string[] {
  return text.match(NUMBER) ?? [];
}

/** Returns the number of each row of a form, without names and drawings, and without the releases that only Markdown has. */
function rowIn(text: string, name: string): readonly string[] {
  const line = text.split('\n').find((one) => one.trimStart().startsWith(`${name} `)) ?? '';
  return numbersIn(line.slice(line.indexOf(name) + name.length));
}

/** Every way in which a form may write a number of the JSON. */
function writtenOf(value: Json): readonly string[] {
  if (typeof value === 'string') return numbersIn(value);
  if (typeof value !== 'number') return value === null || typeof value === 'boolean' ? [] : Object.values(value).flatMap(writtenOf);
  const length = formatLength(value);
  const none = value === 0 ? ['unknown'] : [];
  const moments = value > 1e15 ? [formatDay(value as Micros), ...numbersIn(formatMoment(value as Micros))] : [];
  return [String(value), `${Math.round(100 * value)} %`, length, `>= ${length}`, `> ${length}`, ...none, ...moments];
}

interface Row {
  readonly group: string;
  readonly n: number;
  readonly releases: number;
  readonly atLeast: number;
  readonly coverage: number;
  readonly withWaiting: Readonly<Record<'p50' | 'p90', { readonly value: number; readonly isBeyond: boolean } | null>> | null;
  readonly p50: FigureIn;
  readonly p90: FigureIn;
  readonly values: readonly number[];
  readonly bounds: readonly boolean[];
}

type FigureIn = { readonly value: number; readonly interval: { readonly low: number; readonly high: number | null } | null } | null;

function boundOf(value: number, isBound: boolean): string {
  return isBound ? (value === 0 ? 'unknown' : `>= ${formatLength(value)}`) : formatLength(value);
}

function estimatesOf(withWaiting: Row['withWaiting'], isBound: boolean): readonly string[] {
  return [withWaiting?.p50, withWaiting?.p90].flatMap((estimate) =>
    estimate == null ? [] : [estimate.isBeyond ? `> ${formatLength(estimate.value)}` : boundOf(estimate.value, isBound)],
  );
}

function figureOf(known: FigureIn, least: number, isBound: boolean): readonly string[] {
  if (known === null) return [String(least)];
  const { low, high = null } = known.interval ?? { low: 0 };
  return [boundOf(known.value, isBound), ...(high === null ? [] : [formatLength(low), formatLength(high)])];
}

/** Returns what a table has to show of a row of the JSON. */
function cellsOf({ n, coverage, atLeast, withWaiting, p50, p90, values, bounds }: Row): readonly string[] {
  const counts = [String(n), `${Math.round(100 * coverage)} %`];
  if (n < 10) return [...counts, ...values.map((value, at) => boundOf(value, bounds[at] === true))];
  const isBound = atLeast > 0;
  return [...counts, ...estimatesOf(withWaiting, isBound), ...figureOf(p50, 10, isBound), ...figureOf(p90, 36, isBound)];
}

interface Details {
  readonly trend: readonly (Pick<Row, 'n' | 'atLeast' | 'p50' | 'p90'> & { readonly endsAt: Micros })[];
  readonly withWaiting: NonNullable<Row['withWaiting']> & { readonly n: number; readonly waiting: number };
  readonly single: readonly { readonly endedAt: Micros; readonly total: number; readonly atLeast: number }[];
  readonly waterfall: { readonly n: number; readonly stages: readonly { readonly length: number; readonly atLeast: number }[] };
  readonly slowest: readonly { readonly release: string; readonly endedAt: Micros; readonly total: number; readonly atLeast: number }[];
}

/** Returns the numbers of a part of a form, without its end. */
function numbersBetween(form: string, start: string, end: string): readonly string[] {
  const at = form.indexOf(start) + start.length;
  return numbersIn(form.slice(at, form.indexOf(end, at)));
}

describe.each(['package', 'repo', 'stage'] as const)('a report by %s', (by) => {
  let forms: Forms;
  let rows: readonly Row[];
  beforeAll(async () => {
    forms = await formsOf({ ...QUESTION, by });
    rows = forms.json['rows'] as unknown as readonly Row[];
  });

  test('has the same row in each form', () => {
    for (const row of rows) {
      const [n = '', ...rest] = cellsOf(row);
      const page = forms.page.slice(forms.page.indexOf(`By ${by}`));
      const found = [forms.text, page, forms.markdown].map((form) => rowIn(form, row.group));
      expect([row.group, ...found]).toEqual([row.group, [n, ...rest], [n, ...rest], [n, String(row.releases), ...rest]]);
    }
  });

  test('has each number of all changes together in its place, on the page and in Markdown', () => {
    const { trend, withWaiting, single, waterfall, slowest } = forms.json['details'] as unknown as Details;
    const { n = 0, atLeast = 0, p50 = null, p90 = null } = trend.at(-1) ?? {};
    const [half = '', tenth = ''] = estimatesOf(withWaiting, atLeast > 0);
    const waiting = [withWaiting.waiting, withWaiting.n].map(String);
    const time = [UNTIL - 6 * WEEK, UNTIL].map((moment) => formatDay(moment as Micros));
    const weeks = trend.map((week) => [
      ...[formatDay(week.endsAt), String(week.n)],
      ...figureOf(week.p50, 10, week.atLeast > 0),
      ...figureOf(week.p90, 36, week.atLeast > 0),
    ]);
    const timed = (one: Details['single'][number]): readonly string[] => [
      ...numbersIn(formatMoment(one.endedAt)),
      boundOf(one.total, one.atLeast > 0),
    ];
    const slow = slowest.flatMap((one) => [...numbersIn(one.release), ...timed(one)]);
    const whole = waterfall.stages.reduce((sum, { length }) => sum + length, 0);
    const lengths = waterfall.stages.map((stage) => boundOf(stage.length, stage.atLeast > 0));
    const shares = waterfall.stages.map(({ length }) => `${Math.round((100 * length) / whole)} %`);
    const parts: readonly (readonly [form: 'page' | 'markdown', start: string, end: string, expected: readonly string[]])[] = [
      ['page', 'half of', 'From', [String(withWaiting.n), ...time, half, tenth, ...waiting]],
      ['page', 'P50, with waiting', 'P90', [half, ...figureOf(p50, 10, atLeast > 0).slice(0, 1)]],
      ['page', 'P90, with waiting', 'Changes', [tenth, ...figureOf(p90, 36, atLeast > 0).slice(0, 1)]],
      ['page', 'Changes that arrived', 'Week by week', [String(n), ...waiting]],
      ['page', 'P90 ( 95 % )', 'One by one', weeks.flat()],
      ['page', 'arrived took', 'Where the time goes', single.flatMap(timed)],
      [
        'page',
        'Where the time goes',
        'The figures behind',
        [String(waterfall.n), boundOf(whole, lengths.at(-1)?.startsWith('>') === true)],
      ],
      ['page', 'took share', 'By ', lengths.flatMap((length, at) => [length, shares[at] ?? ''])],
      ['page', 'release arrived took', 'What these', slow],
      ['markdown', 'of changes:', 'From', [half, tenth]],
      ['markdown', 'n P50 (95 %) P90 (95 %)', '</details>', weeks.toReversed().flat()],
      ['markdown', 'Where the time goes', '</details>', [String(waterfall.n), ...lengths]],
      ['markdown', 'arrived (UTC) took', '</details>', slow],
    ];
    for (const [form, start, end, expected] of parts)
      expect([form, start, ...numbersBetween(forms[form], start, end)]).toEqual([form, start, ...expected]);
  });

  test('shows no number on the page, in Markdown or as text that the JSON does not have', () => {
    const { details } = forms.json as unknown as {
      readonly details: { readonly waterfall: { readonly stages: readonly { length: number }[] } };
    };
    const lengths = details.waterfall.stages.map(({ length }) => length);
    const whole = lengths.reduce((sum, length) => sum + length, 0);
    const derived = [whole, ...lengths.map((length) => length / whole)].flatMap(writtenOf);
    // What a figure needs, the percentage of an interval, the numbers of rows, and what explains a figure.
    const said = ['10', '36', '95 %', ...rows.map((_, at) => String(at + 1))];
    const known = new Set([...writtenOf(forms.json), ...derived, ...said]);
    for (const form of [forms.text, forms.markdown, forms.page]) expect(numbersIn(form).filter((number) => !known.has(number))).toEqual([]);
  });

  test('shows each number of the text in Markdown, and each of Markdown on the page', () => {
    const [text, markdown, page] = [forms.text, forms.markdown, forms.page].map((form) => new Set(numbersIn(form)));
    // Only Markdown counts the releases of a row.
    const releases = new Set([...rows.map((row) => String(row.releases))]);
    expect([...(text ?? [])].filter((number) => markdown?.has(number) !== true)).toEqual([]);
    expect([...(markdown ?? [])].filter((number) => page?.has(number) !== true && !releases.has(number))).toEqual([]);
  });
});

test('the top of a page has the interval of a figure, and the figure before if both differ', async () => {
  const { page, json } = await formsOf(QUESTION, ['@acme/faster']);
  const { trend, previous } = json['details'] as unknown as Details & { readonly previous: Readonly<Record<'p50' | 'p90', number>> };
  const { p50 = null, p90 = null } = trend.at(-1) ?? {};
  expect(numbersBetween(page, 'P50', 'P90')).toEqual([...figureOf(p50, 10, false), formatLength(previous.p50)]);
  expect(numbersBetween(page, 'P90', 'Changes')).toEqual([...figureOf(p90, 36, false), formatLength(previous.p90)]);
  expect([p50?.interval, p90?.interval].map((interval) => interval?.high)).toEqual([expect.any(Number), expect.any(Number)]);
});

test('the scene has what bends a figure: changes that wait, lower bounds, an outlier, and what filters leave out', async () => {
  const { rows, waiting, details } = (await formsOf(QUESTION)).json as unknown as {
    readonly rows: readonly Row[];
    readonly waiting: number;
    readonly details: { readonly slowest: readonly { readonly total: number }[] };
  };
  const bounds = rows.map(({ group, atLeast }) => `${group} ${atLeast > 0}`);
  expect(bounds).toEqual(['@acme/ui false', '@acme/tagged true', '@acme/bound true', '@acme/few false']);
  expect(rows[2]?.bounds).toEqual([true, true, false, true, true, true, true, true, true]);
  expect(waiting).toBeGreaterThan(0);
  expect(details.slowest[0]?.total).toBe(900 * HOUR);
});
