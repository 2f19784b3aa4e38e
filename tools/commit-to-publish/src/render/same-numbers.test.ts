// A number that one form of a report shows is in the others too.
import { expect, test } from '@jest/globals';
import type { Micros } from '../model/event.js';
import type { Report, ReportRow } from '../report/report.js';
import { pageContent } from './content.fixture.js';
import { reportDocument } from './document.js';
import type { PageContent } from './html/page.js';
import { renderPage } from './html/page.js';
import { formatReport } from './markdown/report.js';
import { renderReport } from './report.js';
import { formatLength } from './times.js';

const HOUR = 3600e6;

/** A report of one package, with the same figures for all changes together. */
function ofOne(row: Partial<ReportRow>): PageContent {
  const content = pageContent();
  const [first] = content.report.rows;
  const one = { ...first, ...row } as ReportRow;
  const { trend } = content.details;
  const last = { endsAt: content.report.question.until, n: one.n, atLeast: one.atLeast, p50: one.p50, p90: one.p90 };
  const report: Report = { ...content.report, rows: [one], waiting: one.withWaiting?.waiting ?? 0 };
  return { ...content, report, details: { ...content.details, trend: [...trend.slice(0, -1), last], withWaiting: one.withWaiting } };
}

const wordsOf = (html: string): string =>
  html
    .split('</dl>')[0]
    ?.replace(/<style[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ') ?? '';

test('the figures at the top of a page are those of the table, of Markdown and of JSON, with how many wait', () => {
  const content = ofOne({});
  const { n = 0, withWaiting } = content.report.rows[0] ?? {};
  const text = renderReport(content, { width: 120, signs: 'ascii', bold: String });
  const [page, markdown] = [wordsOf(renderPage(content)), formatReport(content)];
  const document = JSON.parse(JSON.stringify(reportDocument(content))) as { readonly rows: readonly ReportRow[] };
  expect(document.rows[0]).toMatchObject({ n, withWaiting });
  const figures = [withWaiting?.p50, withWaiting?.p90].map((figure) => formatLength(figure?.value ?? 0));
  for (const figure of figures) for (const shown of [page, text, markdown]) expect(shown.replaceAll('\u00a0', ' ')).toContain(figure);
  expect(page).toContain(`${withWaiting?.waiting} of ${withWaiting?.n} that were ready`);
  expect(page).toContain('the slowest tenth more than');
  for (const shown of [text, markdown]) expect(shown).toMatch(new RegExp(`\\b${withWaiting?.waiting} of the changes`));
});

test('a lower bound is one everywhere, and no time at all is unknown', () => {
  const figure = (value: number): ReportRow['p50'] => ({ value, interval: undefined });
  const content = ofOne({ atLeast: 2, p50: figure(0), p90: figure(30 * HOUR), withWaiting: undefined });
  const text = renderReport(content, { width: 120, signs: 'ascii', bold: String });
  expect(text).toMatch(/unknown +>= 30 h|unknown +>= 1\.3 d/);
  const markdown = formatReport(content);
  for (const shown of [text, markdown, renderPage(content)]) expect(shown).toContain('lightweight tag');
  expect(renderPage(content)).toContain('<span class="bound">');
  expect(markdown.split('\n')[0]).toMatch(/P50 an unknown time, P90 at least/);
  expect(wordsOf(renderPage(content))).toMatch(/an unknown time[\s\S]*at least/);
  for (const shown of [text, markdown.split('##')[1] ?? '', wordsOf(renderPage(content))]) expect(shown).not.toContain('0.0 s');
});

test('the figures at the top are lower bounds also where the rows with lower bounds are not shown', () => {
  const bound = ofOne({ atLeast: 2, withWaiting: undefined });
  const content = { ...bound, report: { ...bound.report, rows: bound.report.rows.map((row) => ({ ...row, atLeast: 0 })), left: 1 } };
  expect(formatReport(content).split('\n')[0]).toMatch(/P50 at least .*, P90 at least /);
  expect(wordsOf(renderPage(content))).toMatch(/half of .* took at least .*the slowest tenth at least /);
});

test('a last week that is not over ends with the report, nowhere in the future', () => {
  const content = pageContent();
  const question = { ...content.report.question, before: (content.report.question.until - 3 * 24 * HOUR) as Micros };
  const unfinished = { ...content, report: { ...content.report, question } };
  const [page, markdown] = [renderPage(unfinished), formatReport(unfinished)];
  expect(page).toContain('up to the end of its week, the last up to 2026-05-29.');
  for (const shown of [page, markdown]) expect(shown).toMatch(/(?:<th scope="row">|\n\| )2026-05-29(?:<| \|)/);
  for (const shown of [page, markdown]) expect(shown).not.toMatch(/(?:<th scope="row">|\n\| )2026-06-01(?:<| \|)/);
  expect(renderPage(content)).toContain('up to the end of its week.</p>');
});
