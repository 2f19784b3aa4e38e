import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { code, table } from './markdown.js';

/** What Markdown shows of a text that is one code span, by the rules of CommonMark (6.1); `undefined` if it is none, or more than that. */
function shownBy(markdown: string): string | undefined {
  const [, fence = ''] = /^(`*)/.exec(markdown) ?? [];
  const inside = markdown.slice(fence.length, -fence.length);
  const closes = [...inside.matchAll(/`+/g)].some(([run]) => run.length === fence.length) || inside.startsWith('`') || inside.endsWith('`');
  if (fence === '' || !markdown.endsWith(fence) || closes) return undefined;
  return /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside;
}

describe('text of others', () => {
  test.each<[title: string, text: string, expected: string]>([
    ['a name', '@acme/ui', '`@acme/ui`'],
    ['a backtick', 'a`b', '`` a`b ``'],
    ['backticks alone', '``', '``` `` ```'],
    ['runs of backticks', '`a``b```c', '```` `a``b```c ````'],
    ['a column of a table', 'a|b\\|c', '`a¦b\\¦c`'],
    ['lines', 'a\nb\r\n\tc', '`a b c`'],
    ['HTML', '<img src=x onerror="x">', '`<img src=x onerror="x">`'],
    ['a link', '[a](javascript:x)', '`[a](javascript:x)`'],
    ['a backslash at the end', 'a\\', '`a\\`'],
    ['the end of what stands around it', '</details>\n\n# x', '`</details> # x`'],
    ['nothing', '', ''],
  ])('%s', (_, text, expected) => expect(code(text)).toBe(expected));

  test('is shown as it is, and nothing in it means anything', () => {
    const signs = fc.string({
      unit: fc.constantFrom('`', '``', '|', '\n', '\\', '<', '>', ' ', 'a', '*', '~', '$', '&amp;', '\u0000', '💥'),
    });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), (text) => {
        fc.pre(text !== '' && text.length <= 300);
        const plain = text.replace(/[\r\n\t]+/g, ' ').replaceAll('|', '¦');
        expect(shownBy(code(text))?.trim()).toBe(plain.trim());
        expect(code(text)).not.toMatch(/[\r\n|]/);
      }),
    );
  });

  test('is cut, however long it is', () => {
    for (const long of ['x', '`', '|', '\n', '💥`']) {
      const text = code(long.repeat(1_000_000));
      expect(Buffer.byteLength(text)).toBeLessThan(2000);
      if (long !== '\n') expect(shownBy(text)).toBeDefined();
    }
  });
});

describe('a table', () => {
  test('has a row for each', () => {
    expect(
      table(
        ['a', 'b'],
        [
          ['1', '2'],
          ['3', '4'],
        ],
        1000,
      ),
    ).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |');
    expect(table(['a'], [], 1000)).toBe('| a |\n| --- |');
  });

  test('counts what does not fit', () => {
    const rows = Array.from({ length: 1000 }, (_, at) => [`row ${at}`]);
    const text = table(['a'], rows, 200);
    const shown = text.split('\n').filter((line) => line.startsWith('| row'));
    expect(shown.length).toBeGreaterThan(5);
    expect(text.endsWith(`\n\nand ${1000 - shown.length} more.`)).toBe(true);
  });

  test('takes no more bytes than it may, and has every row or counts the others', () => {
    const rows = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }).map(code), { minLength: 2, maxLength: 2 }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 60, max: 3000 }), (all, room) => {
        const text = table(['one', 'two'], all, room);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(room);
        const [lines = '', rest] = text.split('\n\n');
        const shown = lines.split('\n').length - 2;
        expect(rest).toBe(shown === all.length ? undefined : `and ${all.length - shown} more.`);
      }),
    );
  });
});
