import { expect, test } from '@jest/globals';
import { readSchema } from '@tributary/test-repo/schemas';
import { pageContent } from './content.fixture.js';
import { reportDocument } from './document.js';
import { renderPage } from './html/page.js';
import { formatReport } from './markdown/report.js';
import { renderReport } from './report.js';
import { type ReportColumn, reportColumns, rowSchema } from './report-columns.js';

const MADE_UP: ReportColumn = {
  key: 'nameLength',
  value: ({ group }) => group.length,
  schema: { description: 'How many letters the name has.', type: 'integer' },
  heading: 'letters',
  cell: ({ group }) => `${group.length} letters long`,
  kind: 'count',
};

test('a column that is added to the table appears in text, Markdown, HTML, JSON and the schema', () => {
  const columns = [...reportColumns('package'), MADE_UP];
  const content = pageContent();
  const text = renderReport(content, { width: 200, bold: (title) => title, signs: 'unicode' }, columns);
  for (const page of [text, formatReport(content, columns), renderPage(content, columns)]) {
    expect(page).toContain('letters');
    // One row from each of the two tables.
    expect(page).toContain(`${'@acme/ui'.length} letters long`);
    expect(page).toContain(`${'@acme/few'.length} letters long`);
  }
  expect(reportDocument(content, columns)).toMatchObject({ rows: content.report.rows.map(({ group }) => ({ nameLength: group.length })) });
  expect(rowSchema(columns)).toMatchObject({
    required: expect.arrayContaining(['nameLength']),
    properties: { nameLength: MADE_UP.schema },
  });
});

test('a format leaves out the columns of others', () => {
  const columns: readonly ReportColumn[] = [...reportColumns('package'), { ...MADE_UP, formats: ['markdown'], table: 'few' }];
  expect(renderPage(pageContent(), columns)).not.toContain('letters');
  expect(formatReport(pageContent(), columns).match(/letters long/g)?.length).toBe(1);
});

test('the published schema of a row is that of the columns', () => {
  expect(readSchema('commit-to-publish', 'report-result').properties?.['rows']).toMatchObject({
    items: rowSchema(reportColumns('package')),
  });
});
