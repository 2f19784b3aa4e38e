import { expect, test } from '@jest/globals';
import { pageContent } from '../render/content.fixture.js';
import { renderReport } from '../render/report.js';
import { topRows } from './top-rows.js';

const { report } = pageContent();
const namesOf = (order: 'p90' | 'n' | 'waiting', top?: number): readonly string[] =>
  topRows(report, { top, order }).rows.map(({ group }) => group.slice(0, 8));

test('the first rows are those with most of what was asked for', () => {
  expect(namesOf('p90', 2)).toEqual(['@acme/ui', '<img src']);
  expect(namesOf('n')).toEqual(['@acme/ui', '<img src', '@acme/a-', '@acme/fe']);
  expect(namesOf('waiting', 1)).toEqual(['@acme/ui']);
});

test('the rows that are left out are counted', () => {
  const text = renderReport(
    { report: topRows(report, { top: 1, order: 'n' }), migrations: [] },
    { width: 100, signs: 'ascii', bold: String },
  );
  expect(text).toContain('3 more rows are not shown. All: --top 4');
  expect(text).not.toContain('@acme/few');
});
