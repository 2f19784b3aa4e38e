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

test('columns that may not shrink are never cut', () => {
  const rows = [['x'.repeat(50), 'y'.repeat(50)]];
  expect(formatTable({ columns: [{ title: 'a' }, { title: 'b' }], rows }, 20)).toBe(
    `a${' '.repeat(51)}b\n${'x'.repeat(50)}  ${'y'.repeat(50)}`,
  );
});

test('a column that shrinks keeps eight characters', () => {
  expect(formatTable({ columns: [{ title: 'a', shrink: 'end' }, { title: 'b' }], rows: [['0123456789', 'y']] }, 1)).toBe(
    'a         b\n0123456…  y',
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
