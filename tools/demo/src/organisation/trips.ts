// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { bot, ines, mara, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, commit, file, merge, release, type Story, signedCommit } from './story.js';

const receipt = (...has: readonly ('words' | 'weekend' | 'checks')[]): string =>
  file(
    "'use strict';",
    '',
    `const { ${has.includes('weekend') ? 'isWeekend, ' : ''}minutesBetween } = require('almanack');`,
    "const { distance } = require('@harbor/geo');",
    "const { quote } = require('@harbor/fares');",
    ...(has.includes('checks') ? ["const { number } = require('plumbob');"] : []),
    ...(has.includes('words') ? ["const { formatMetres, formatMinutes } = require('seaunits');"] : []),
    '',
    '/** What the rider gets after a trip. */',
    'function receipt({ zone, from, to, start, end }) {',
    '  const minutes = Math.ceil(minutesBetween(start, end));',
    ...(has.includes('checks') ? ["  number(minutes, 'the time');"] : []),
    '  const metres = distance(from, to);',
    `  const price = quote({ zone, minutes${has.includes('weekend') ? ': isWeekend(start) ? minutes / 2 : minutes' : ''} });`,
    has.includes('words')
      ? '  const summary = `${formatMetres(metres)} in ${formatMinutes(minutes)}: ${price.words}`;'
      : '  const summary = price.words;',
    '  return { minutes, metres, cents: price.cents, summary };',
    '}',
    '',
    'module.exports = { receipt };',
  );

const month = file(
  "'use strict';",
  '',
  "const { total } = require('ledgerly');",
  "const { formatCents } = require('seaunits');",
  '',
  '/** One line for the bill of a month. */',
  'function bill(receipts) {',
  '  return formatCents(total(receipts.map(({ cents }) => cents)));',
  '}',
  '',
  'module.exports = { bill };',
);

const entry = (...modules: readonly string[]): string =>
  file("'use strict';", '', `module.exports = { ${modules.map((name) => `...require('./src/${name}.js')`).join(', ')} };`);

const testOf = (...lines: readonly string[]): string =>
  file(
    "'use strict';",
    '',
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    "const { bill, receipt } = require('..');",
    '',
    "const trip = { zone: 'centre', from: { lat: 38.709, lon: -9.133 }, to: { lat: 38.703, lon: -9.17 } };",
    ...lines,
  );

const weekday = "const monday = receipt({ ...trip, start: '2021-06-07T08:00:00Z', end: '2021-06-07T08:10:00Z' });";
const sunday = "const sunday = receipt({ ...trip, start: '2021-06-06T08:00:00Z', end: '2021-06-06T08:20:00Z' });";
const expectations = [
  '',
  "test('ten minutes on a Monday', () => assert.equal(monday.summary, '3.3 km in 10 min: €1.75'));",
  "test('Sundays count half', () => assert.equal(sunday.cents, 175));",
  "test('a month', () => assert.equal(bill([monday, sunday]), '€3.50'));",
];

/** npm, dependencies on most of the other repositories, a commit that looks signed. */
export const trips: Story = {
  folder: 'trips',
  manager: 'npm',
  begin: '2024-03-04T11:20:00Z',
  hoursBetween: 280,
  events: [
    commit(tom, 'Start @harbor/trips', {
      manifest: {
        name: '@harbor/trips',
        version: '0.1.0',
        license: 'UNLICENSED',
        main: 'index.js',
        scripts: { test: 'node --test' },
        dependencies: { '@harbor/geo': '^1.0.0', '@harbor/fares': '^1.0.0', almanack: '^1.5.0' },
      },
      files: {
        '.gitignore': 'node_modules\n',
        '.npmrc': `registry=${COMPANY_REGISTRY}/\n`,
        'README.md': '# @harbor/trips\n',
        'index.js': entry('receipt'),
      },
    }),
    commit(tom, 'Receipts', { files: { 'src/receipt.js': receipt() } }),
    commit(tom, 'The owners of trips', { files: { CODEOWNERS: '* @harbor/riders\n' } }),
    ...release(tom, '1.0.0'),
    commit(yuki, 'Say it in words', {
      manifest: { dependencies: { seaunits: '^1.2.0' } },
      files: { 'src/receipt.js': receipt('words') },
    }),
    ...release(tom, '1.1.0', 'Receipts in words\n'),
    ...branch(
      'weekends',
      commit(ines, 'Minutes count half on weekends', { files: { 'src/receipt.js': receipt('words', 'weekend') } }),
      commit(ines, 'Test a Monday and a Sunday', {
        files: { 'test/receipt.test.js': testOf(weekday, sunday, ...expectations.slice(0, 3)).replace('bill, ', '') },
      }),
    ),
    commit(mara, 'What a month costs', { files: { 'src/month.js': month } }),
    merge(tom, ['weekends'], 'Merge pull request #31 from harbor/weekends\n\nMinutes count half on weekends'),
    commit(mara, 'Export the month', {
      manifest: { dependencies: { ledgerly: '^2.1.0' } },
      files: { 'index.js': entry('receipt', 'month'), 'test/receipt.test.js': testOf(weekday, sunday, ...expectations) },
    }),
    ...release(mara, '1.2.0', 'Weekends\n'),
    signedCommit(yuki, 'Describe the receipt', { files: { 'README.md': '# @harbor/trips\n\nA trip, and the receipt for it.\n' } }),
    commit(bot, 'Update almanack to 2', { manifest: { dependencies: { almanack: '^2.0.0' } } }),
    commit(bot, 'Update @harbor/geo to 2', { manifest: { dependencies: { '@harbor/geo': '^2.0.0' } } }),
    ...release(tom, '2.0.0', 'Needs @harbor/geo 2\n'),
    commit(ines, 'Refuse trips without an end', {
      manifest: { dependencies: { plumbob: '^1.2.0' } },
      files: { 'src/receipt.js': receipt('words', 'weekend', 'checks') },
    }),
    ...release(tom, '2.0.1'),
  ],
};
