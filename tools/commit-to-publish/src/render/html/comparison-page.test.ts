import { expect, test } from '@jest/globals';
import { comparisonPage, pageContent } from '../content.fixture.js';
import { renderComparisonPage } from './comparison-page.js';
import { renderPage } from './page.js';

/** Returns a page without the marks of what no line may break. */
const withoutMarks = (page: string): string => page.replace(/<span class="whole">([^<]*)<\/span>/g, '$1');

test('the page of a comparison begins with one sentence, and says beside it what may not be claimed', () => {
  const page = withoutMarks(renderComparisonPage(comparisonPage()));
  expect(page).toMatch(
    /<p class="lead">From merge to the consumer&#39;s release took 5\.5 d; from merge to publish now takes 1\.0 d \(P50\); 33\.0 fewer upgrades a month\.<\/p>/,
  );
  expect(page).toContain('<title>Lead time of @acme/ui, before and after 2025-12-01</title>');
  // A P90 that may not be claimed is no part of the sentence.
  expect(page).toContain('No claim about the P90: the changes were in 3 releases before');
  expect(page).toContain('<a href="https://host.example/pull/7">#7 Fix &lt;b&gt;it&lt;/b&gt;</a>');
});

test('no reader of a page is told to run a command, and no page is large', () => {
  const many = comparisonPage(6000);
  const page = renderComparisonPage(many);
  expect(page.match(/<code>|--[a-z]+-?[a-z]* /g)?.filter((text) => !text.startsWith('--p') && text !== '--') ?? []).toEqual([]);
  expect(Buffer.byteLength(page)).toBeLessThan(300_000);
});

test('lower bounds are marked in the chart and in the tables, and bear out no claim', () => {
  const { comparison, details, ...page } = comparisonPage();
  const before = details.before.map((change) => ({ ...change, atLeast: 1 }));
  const bounded = {
    ...comparison,
    before: { ...comparison.before, atLeast: 60 },
    p50: { ...comparison.p50, verdict: 'lower bounds' as const },
  };
  const text = withoutMarks(renderComparisonPage({ ...page, comparison: bounded, details: { ...details, before } }));
  expect(text).toContain('A triangle is a lower bound.');
  expect(text).toContain('the chart shows their lower bounds.');
  for (const name of ['P50 or more', 'P90 or more', 'P50', 'P90']) expect(text).toContain(`>${name}</text>`);
  expect(text).toContain('These data do not show whether changes take less time');
  expect(text).toMatch(/>@acme\/<wbr>ui<\/th><td class="number">\d+ → \d+<\/td><td class="number">&gt;= [^<]+ → \d/);
});

test('where nothing may be claimed the sentence says so', () => {
  const page = comparisonPage();
  const unclear = { ...page.comparison, p50: { ...page.comparison.p50, verdict: 'unclear' as const } };
  expect(renderComparisonPage({ ...page, comparison: unclear })).toContain(
    'These data do not show whether changes take less time from merge to publish than before. 33.0 fewer upgrades a month.',
  );
});

test('the slowest changes of a report have number, subject line and a link, and their repository where there are several', () => {
  const content = pageContent();
  expect(renderPage(content)).toContain('<a href="https://host.example/pull/7">#7 Fix &lt;b&gt;it&lt;/b&gt; | all</a>');
  const slowest = content.details.slowest.map((change, at) => (at === 1 ? { ...change, repo: 'acme/other' } : change));
  expect(renderPage({ ...content, details: { ...content.details, slowest } })).toContain('>acme/other 1111111111<');
});
