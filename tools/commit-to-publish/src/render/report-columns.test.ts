import { expect, test } from '@jest/globals';
import { pageContent } from './content.fixture.js';
import { renderPage } from './html/page.js';
import { formatReport } from './markdown/report.js';
import { renderReport } from './report.js';
import { type ReportColumn, reportColumns } from './report-columns.js';

const MADE_UP: ReportColumn = {
  key: 'nameLength',
  heading: 'letters',
  cell: ({ group }) => `${group.length} letters long`,
  kind: 'count',
};

test('a column that is added to the table appears in text, Markdown and HTML', () => {
  const columns = [...reportColumns('package'), MADE_UP];
  const content = pageContent();
  const text = renderReport(content, { width: 200, bold: (title) => title, signs: 'unicode' }, columns);
  for (const page of [text, formatReport(content, columns), renderPage(content, columns)]) {
    expect(page).toContain('letters');
    // One row from each of the two tables.
    expect(page).toContain(`${'@acme/ui'.length} letters long`);
    expect(page).toContain(`${'@acme/few'.length} letters long`);
  }
});

test('a format leaves out the columns of others', () => {
  const columns: readonly ReportColumn[] = [...reportColumns('package'), { ...MADE_UP, formats: ['markdown'], table: 'few' }];
  expect(renderPage(pageContent(), columns)).not.toContain('letters');
  expect(formatReport(pageContent(), columns).match(/letters long/g)?.length).toBe(1);
});
