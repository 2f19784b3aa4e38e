import { bot, ines, mara, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, commit, file, merge, release, type Story } from './story.js';

const quote = (free: string, cap: string): string =>
  file(
    "'use strict';",
    '',
    "const { total } = require('ledgerly');",
    "const { formatCents } = require('seaunits');",
    "const { zones } = require('./zones.js');",
    '',
    '/** What a trip costs, in cents and in words. */',
    'function quote({ zone, minutes }) {',
    '  const { start, perMinute } = zones()[zone];',
    `  const paid = ${free};`,
    '  const sum = total([start, paid * perMinute]);',
    `  const cents = ${cap};`,
    '  return { cents, words: formatCents(cents) };',
    '}',
    '',
    'module.exports = { quote };',
  );

const zonesCode = file(
  "'use strict';",
  '',
  "const { readFileSync } = require('node:fs');",
  "const { join } = require('node:path');",
  '',
  '/** The table of the finance department, as their program writes it. */',
  'function zones() {',
  "  const [, ...lines] = readFileSync(join(__dirname, '../data/zones.csv'), 'utf8').trim().split('\\r\\n');",
  "  const rows = lines.map((line) => line.split(','));",
  '  return Object.fromEntries(rows.map(([zone, start, perMinute]) => [zone, { start: Number(start), perMinute: Number(perMinute) }]));',
  '}',
  '',
  'module.exports = { zones };',
);

/** Returns a table with the line ends of the program that exported it. */
const table = (...rows: readonly string[]): string => ['zone,start,perMinute', ...rows].map((row) => `${row}\r\n`).join('');

const testOf = (...expectations: readonly string[]): string =>
  file(
    "'use strict';",
    '',
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    "const { quote } = require('..');",
    '',
    ...expectations.flatMap((line) => [line, '']).slice(0, -1),
  );

const short = "test('ten minutes in the centre', () => assert.equal(quote({ zone: 'centre', minutes: 10 }).words, '€1.75'));";
const long = "test('a day costs no more than the cap', () => assert.equal(quote({ zone: 'centre', minutes: 1440 }).cents, 1500));";

/** Yarn 1, a table with CRLF line ends, an annotated tag for each release. */
export const fares: Story = {
  folder: 'fares',
  manager: 'Yarn 1',
  begin: '2022-06-06T08:05:00Z',
  hoursBetween: 560,
  events: [
    commit(tom, 'Start @harbor/fares', {
      manifest: {
        name: '@harbor/fares',
        version: '0.0.1',
        license: 'UNLICENSED',
        main: 'index.js',
        scripts: { test: 'node --test' },
        dependencies: { seaunits: '^1.1.0', ledgerly: '^1.0.0' },
      },
      files: {
        '.gitignore': 'node_modules/\nyarn-error.log\n',
        '.yarnrc': `registry "${COMPANY_REGISTRY}/"\n`,
        'README.md': '# @harbor/fares\n\nWhat a trip costs.\n',
        'index.js': "'use strict';\n\nmodule.exports = require('./src/quote.js');\n",
      },
    }),
    commit(tom, 'The table of the finance department', { files: { 'data/zones.csv': table('centre,100,15', 'river,80,12') } }),
    commit(tom, 'Read the table', { files: { 'src/zones.js': zonesCode } }),
    commit(tom, 'Quote a trip', { files: { 'src/quote.js': quote('minutes', 'sum') } }),
    ...release(tom, '0.1.0'),
    commit(mara, 'The first five minutes are free', {
      files: { 'src/quote.js': quote('Math.max(0, minutes - 5)', 'sum'), 'test/quote.test.js': testOf(short) },
    }),
    ...release(tom, '1.0.0', 'Prices of summer 2023\n'),
    ...branch(
      'harbour-zone',
      commit(ines, 'A zone for the harbour', { files: { 'data/zones.csv': table('centre,100,15', 'river,80,12', 'harbour,60,10') } }),
    ),
    commit(bot, 'Update ledgerly to 1.2', { manifest: { dependencies: { ledgerly: '^1.2.0' } } }),
    merge(tom, ['harbour-zone']),
    ...release(tom, '1.1.0', 'A zone for the harbour\n'),
    ...branch(
      'cap',
      commit(yuki, 'Nobody pays more than 15 euros a day', {
        files: { 'src/quote.js': quote('Math.max(0, minutes - 5)', 'Math.min(sum, 1500)') },
      }),
      commit(yuki, 'Test the cap', { files: { 'test/quote.test.js': testOf(short, long) } }),
    ),
    commit(mara, 'Name the owners', { files: { CODEOWNERS: '* @harbor/pricing\n' } }),
    merge(mara, ['cap'], 'Merge the daily cap'),
    ...release(mara, '1.2.0', 'A daily cap\n'),
    commit(bot, 'Update seaunits to 1.2', { manifest: { dependencies: { seaunits: '^1.2.0' } } }),
    commit(tom, 'Say who keeps the table', {
      files: { 'README.md': '# @harbor/fares\n\nWhat a trip costs. The table comes from finance.\n' },
    }),
    ...release(tom, '1.3.0', 'Maintenance\n'),
  ],
};
