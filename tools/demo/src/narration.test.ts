import { expect, test } from '@jest/globals';
import { formatCommand, formatHeading, formatOutput, formatParagraph, outputWidth, PAGE_WIDTH, pageWidthFor } from './narration.js';

const words = 'a word and some more words '.repeat(20).trim();

test('a paragraph fits on the page and loses nothing', () => {
  const lines = formatParagraph(words).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(PAGE_WIDTH);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(words);
});

test('a line that just fits stays whole, and one longer is broken', () => {
  const fits = 'x'.repeat(outputWidth(PAGE_WIDTH) - 2).concat(' y');
  expect(formatParagraph(fits).split('\n')).toHaveLength(1);
  expect(formatParagraph(`${fits}y`).split('\n')).toHaveLength(2);
});

test('a word that is longer than the line stays whole', () => {
  const path = `/tmp/${'x'.repeat(100)}`;
  expect(formatParagraph(`it is in ${path} now`).split('\n')).toEqual(['  it is in', `  ${path}`, '  now']);
  expect(formatParagraph(path)).toBe(`  ${path}`);
});

test('the lines of an output stay lines, with the blanks they begin with', () => {
  expect(
    formatOutput(`    ${words}`)
      .split('\n')
      .filter((line) => !/^ {6}\w/.test(line)),
  ).toEqual([]);
  expect(formatOutput('one\n  two\n\nthree\n\n')).toBe('  one\n    two\n\n  three');
  expect(formatOutput(`   ${'x'.repeat(100)}`)).toBe(`     ${'x'.repeat(100)}`);
});

test('a command can be pasted into a shell, also where it is broken', () => {
  expect(formatCommand(['cd', '/tmp/a b'])).toBe("  $ cd '/tmp/a b'");
  expect(formatCommand(['git', 'log', '-L5,9', '--format=%h', "it's", ''])).toBe("  $ git log -L5,9 --format=%h 'it'\\''s' ''");
  const lines = formatCommand(['move', ...Array.from({ length: 30 }, (_, at) => `@harbor/${at}`)]).split('\n');
  expect(lines.every((line) => line.length <= PAGE_WIDTH)).toBe(true);
  expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
  expect(lines.slice(1).every((line) => line.startsWith('      @'))).toBe(true);
});

test.each([
  [20, 50],
  [50, 50],
  [80, 80],
  [160, 120],
  [Number.POSITIVE_INFINITY, 80],
])('on %d columns the page has %d', (columns, width) => {
  expect(pageWidthFor(columns)).toBe(width);
  const texts = [
    formatHeading(words, width),
    formatParagraph(words, width),
    formatOutput(words, width),
    formatCommand(words.split(' '), [], width),
  ];
  const longest = texts.map((text) => Math.max(...text.split('\n').map((line) => line.length)));
  expect(longest.filter((length) => length > width || length < width - 12)).toEqual([]);
});
