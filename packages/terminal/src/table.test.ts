import { expect, test } from '@jest/globals';
import { formatTable, type Table } from './table.js';

const table: Table = {
  columns: [
    { title: 'workspace', shrink: 'end' },
    { title: 'files', align: 'right' },
    { title: 'reason', shrink: 'end' },
  ],
  rows: [
    ['@acme/ui', '12', 'a file changed: packages/ui/src/button/with/a/very/long/path/that/does/not/fit.ts'],
    ['core', '1204', ''],
  ],
};

test('it is as wide as its content', () => {
  expect(formatTable(table, Number.POSITIVE_INFINITY)).toBe(
    [
      'workspace  files  reason',
      '@acme/ui      12  a file changed: packages/ui/src/button/with/a/very/long/path/that/does/not/fit.ts',
      'core        1204',
    ].join('\n'),
  );
});

test('it fits 80 columns by cutting the widest column that may shrink', () => {
  const text = formatTable(table, 80);
  expect(text).toBe(
    [
      'workspace  files  reason',
      '@acme/ui      12  a file changed: packages/ui/src/button/with/a/very/long/path/…',
      'core        1204',
    ].join('\n'),
  );
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBe(80);
});

test('a column that shrinks keeps eight characters', () => {
  const one: Table = { columns: [{ title: 'a', shrink: 'end' }, { title: 'b' }], rows: [['0123456789', 'y']] };
  expect(formatTable(one, 11)).toBe('a         b\n0123456…  y');
  expect(formatTable(one, 10)).toBe('0123456789\n  b  y');
});

test('names that differ still do when they are cut, or else the table becomes a list', () => {
  const columns = [{ title: 'package', shrink: 'start' as const }, { title: 'n' }];
  const named = (...names: readonly string[]): readonly string[][] => names.map((name, at) => [name, `${at}`]);
  const rows = named('@acme/changelog-of-gulp', 'gulp-conventional-changelog', 'ui-conventional-changelog');
  const lines = ['package      n', '…og-of-gulp  0', 'gulp-…gelog  1', 'ui-co…gelog  2'];
  expect(formatTable({ columns, rows }, 14)).toBe(lines.join('\n'));
  const alike = named('acme-1-changelog', 'acme-2-changelog');
  expect(formatTable({ columns, rows: alike }, 14)).toBe(['acme-1-changelog', '  n  0', 'acme-2-changelog', '  n  1'].join('\n'));
  expect(formatTable({ columns, rows: [...rows, ['ui-conventional-changelog', '3']] }, 14)).toBe([...lines, 'ui-co…gelog  3'].join('\n'));
});

test('a table that cannot be narrow enough becomes a list, without empty cells', () => {
  const columns = [{ title: 'stage' }, { title: 'before', align: 'right' as const }, { title: 'after' }, { title: '' }];
  const rows = [
    ['publish', '4.0 min', '9.0 min', 'longer'],
    ['upgrade', '13 h', '', ''],
  ];
  expect(formatTable({ columns, rows }, 33)).toBe(
    ['stage     before  after', 'publish  4.0 min  9.0 min  longer', 'upgrade     13 h'].join('\n'),
  );
  expect(formatTable({ columns, rows }, 32)).toBe(
    ['publish', '  before  4.0 min', '  after   9.0 min', '          longer', 'upgrade', '  before  13 h'].join('\n'),
  );
});

test('wide and combining characters and colors do not shift the columns', () => {
  const rows = [
    ['日本', '1'],
    ['e\u0301te\u0301', '2'],
    ['\x1b[31mred\x1b[39m', '3'],
  ];
  expect(formatTable({ columns: [{ title: 'name' }, { title: 'n' }], rows }, 80)).toBe(
    ['name  n', '日本  1', 'e\u0301te\u0301   2', '\x1b[31mred\x1b[39m   3'].join('\n'),
  );
});

test('a wide character is left off rather than cut in half, and never makes a line wider', () => {
  const columns = [{ title: 'a' }, { title: 'name', shrink: 'end' as const }];
  expect(formatTable({ columns, rows: [['x', '日本語の名前です']] }, 12)).toBe('a  name\nx  日本語の…');
});

test('line breaks become blanks, and no rows give the titles', () => {
  expect(formatTable({ columns: [{ title: 'a' }], rows: [['one\n  two\r\nthree']] }, 80)).toBe('a\none two three');
  expect(formatTable({ columns: [{ title: 'a' }, { title: 'b' }], rows: [] }, 80)).toBe('a  b');
});

test('titles can be styled', () => {
  expect(formatTable({ columns: [{ title: 'a' }], rows: [['x']], styleTitle: (title) => `\x1b[1m${title}\x1b[22m` }, 80)).toBe(
    '\x1b[1ma\x1b[22m\nx',
  );
});
