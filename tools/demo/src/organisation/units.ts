// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { bot, ines, mara, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, commit, file, merge, release, type Story } from './story.js';

const length = file(
  "'use strict';",
  '',
  "const { number } = require('plumbob');",
  "const round = require('shoreline');",
  '',
  '/** 1234 metres are "1.2 km". */',
  'function formatMetres(metres) {',
  "  number(metres, 'metres');",
  '  return metres < 1000 ? `${round(metres)} m` : `${round(metres / 1000, 1)} km`;',
  '}',
  '',
  'module.exports = { formatMetres };',
);

const money = (sign: string): string =>
  file(
    "'use strict';",
    '',
    '/** Cents, never floats: 1250 is "€12.50". */',
    'function formatCents(cents) {',
    "  const digits = String(Math.abs(cents)).padStart(3, '0');",
    `  return \`${sign}€\${digits.slice(0, -2)}.\${digits.slice(-2)}\`;`,
    '}',
    '',
    'module.exports = { formatCents };',
  );

const duration = (long: string): string =>
  file(
    "'use strict';",
    '',
    'function formatMinutes(minutes) {',
    ...(long === '' ? [] : [long]),
    '  return `${minutes} min`;',
    '}',
    '',
    'module.exports = { formatMinutes };',
  );

const entry = (folder: string, ...modules: readonly string[]): string =>
  file("'use strict';", '', `module.exports = { ${modules.map((name) => `...require('./${folder}/${name}')`).join(', ')} };`);

const testOf = (module: string, folder: string, ...expectations: readonly string[]): string =>
  file(
    "'use strict';",
    '',
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    `const units = require('..');`,
    '',
    `test('${module} (${folder})', () => {`,
    ...expectations.map((line) => `  assert.equal(${line});`),
    '});',
  );

const negative = "${cents < 0 ? '-' : ''}";
const hours = '  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;';

/** The oldest: Yarn 1, a rename in its history, no scope. All others depend on it. */
export const units: Story = {
  folder: 'units',
  manager: 'Yarn 1',
  begin: '2021-03-08T09:12:00Z',
  hoursBetween: 700,
  events: [
    commit(mara, 'Start with metres', {
      manifest: {
        name: 'seaunits',
        version: '0.1.0',
        description: 'Distances, money and durations, as riders read them.',
        license: 'UNLICENSED',
        main: 'index.js',
        scripts: { test: 'node --test' },
        dependencies: { shoreline: '^1.0.0' },
      },
      files: {
        '.gitignore': 'node_modules/\n',
        '.yarnrc': `registry "${COMPANY_REGISTRY}/"\n`,
        'README.md': '# seaunits\n',
        'index.js': entry('lib', 'length'),
        'lib/length.js': length.replace("const { number } = require('plumbob');\n", '').replace("  number(metres, 'metres');\n", ''),
      },
    }),
    commit(tom, 'Run the tests on every push', { files: { '.travis.yml': 'language: node_js\nnode_js: node\n' } }),
    commit(mara, 'Test the metres', {
      files: { 'test/length.test.js': testOf('length', 'metres', "units.formatMetres(1234), '1.2 km'", "units.formatMetres(80), '80 m'") },
    }),
    ...release(mara, '1.0.0'),
    commit(tom, 'Add money, in cents', { files: { 'lib/money.js': money(''), 'index.js': entry('lib', 'length', 'money') } }),
    commit(ines, 'Test the money', { files: { 'test/money.test.js': testOf('money', 'cents', "units.formatCents(5), '€0.05'") } }),
    ...release(mara, '1.1.0'),
    ...branch(
      'durations',
      commit(yuki, 'Add durations', { files: { 'lib/duration.js': duration('') } }),
      commit(yuki, 'Hours, where there are some', { files: { 'lib/duration.js': duration(hours) } }),
    ),
    commit(mara, 'Say what belongs here', {
      files: { 'README.md': '# seaunits\n\nWhat a rider reads: distances, money, durations.\n' },
    }),
    merge(mara, ['durations']),
    commit(mara, 'Export the durations', { files: { 'index.js': entry('lib', 'length', 'money', 'duration') } }),
    ...release(tom, '1.2.0', 'Durations\n'),
    commit(mara, 'Refuse what is no number', { manifest: { dependencies: { plumbob: '^1.2.0' } }, files: { 'lib/length.js': length } }),
    commit(tom, 'Move the sources from lib to src', {
      files: {
        lib: null,
        'src/length.js': length,
        'src/money.js': money(''),
        'src/duration.js': duration(hours),
        'index.js': entry('src', 'length', 'money', 'duration'),
      },
    }),
    commit(ines, 'Show the sign of a refund', {
      files: {
        'src/money.js': money(negative),
        'test/money.test.js': testOf('money', 'cents', "units.formatCents(5), '€0.05'", "units.formatCents(-1250), '-€12.50'"),
      },
    }),
    ...release(mara, '1.3.0', 'Refunds have a sign\n'),
    commit(bot, 'Update plumbob to 1.4', { manifest: { dependencies: { plumbob: '^1.4.0' } } }),
    ...release(mara, '1.4.0'),
    commit(tom, 'Fewer files in the package', { files: { '.npmignore': 'test\n.travis.yml\n' } }),
    ...release(tom, '1.4.1'),
  ],
};
