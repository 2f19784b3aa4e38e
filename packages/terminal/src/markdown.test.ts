import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { showInvisible } from './invisible.js';
import { code, codeBlock, excerptOf, table } from './markdown.js';

/** Returns the text that Markdown renders for a single code span, by CommonMark 6.1; `undefined` if the input is not exactly one. */
function shownBy(markdown: string): string | undefined {
  const [, fence = ''] = /^(`*)/.exec(markdown) ?? [];
  const inside = markdown.slice(fence.length, -fence.length);
  const closes = [...inside.matchAll(/`+/g)].some(([run]) => run.length === fence.length) || inside.startsWith('`') || inside.endsWith('`');
  if (fence === '' || !markdown.endsWith(fence) || closes) return undefined;
  return /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside;
}

/** Returns the visible part of a text: one kind of line end, escapes for what nobody sees, and no character that controls a terminal or a page. */
function shownText(text: string): string {
  return Array.from(showInvisible(text.replace(/\r\n?|[\u2028\u2029]/g, '\n')))
    .map((sign) => (/\0|\p{Surrogate}/u.test(sign) ? '\ufffd' : sign))
    .filter((sign) => /[\n\t]|\P{Cc}/u.test(sign))
    .join('');
}

/** Returns the text that Markdown renders for a single code block, by CommonMark 4.5; `undefined` if the input is not exactly one. */
function shownByBlock(markdown: string): string | undefined {
  const [first = '', ...lines] = markdown.split('\n');
  const end = lines.findIndex((line) => new RegExp(`^ {0,3}${first}\`*[ \\t]*$`).test(line));
  return /^`{3,}$/.test(first) && end === lines.length - 1 ? lines.slice(0, end).join('\n') : undefined;
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
    ['a turned direction', 'a\u202eb\u2066', '`a\\u202eb\\u2066`'],
    ['half a character', 'a\ud83d', '`a\ufffd`'],
    ['control characters', 'a\u001b[31m\u0007', '`a[31m`'],
    ['nothing', '', ''],
  ])('%s', (_, text, expected) => expect(code(text)).toBe(expected));

  test('is shown as it is, and nothing in it means anything', () => {
    const signs = fc.string({
      unit: fc.constantFrom('`', '``', '|', '\n', '\\', '<', '>', ' ', 'a', '*', '~', '$', '&amp;', '\u0000', '💥'),
    });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), (text) => {
        fc.pre(text !== '' && text.length <= 300);
        const plain = shownText(text)
          .replace(/[\n\t]+/g, ' ')
          .replaceAll('|', '¦');
        fc.pre(plain !== '');
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

describe('a block of code', () => {
  const all = { lines: 1000, characters: 10_000, from: 'start' } as const;

  test.each<[title: string, text: string, expected: string]>([
    ['lines', 'a\r\nb\rc\n', '```\na\nb\nc\n```'],
    ['a fence', 'a\n```\n# b', '````\na\n```\n# b\n````'],
    ['longer fences', '`````\n~~~', '``````\n`````\n~~~\n``````'],
    ['the end of what stands around it', '</details>\n<!-- x', '```\n</details>\n<!-- x\n```'],
    ['blank lines around it', ' \n\n  a\n\n', '```\n  a\n```'],
    ['nothing', '', '```\n\n```'],
  ])('of %s', (_, text, expected) => expect(codeBlock(text, all)).toBe(expected));

  test('shows a text as it is, and nothing in it means anything', () => {
    const signs = fc.string({
      unit: fc.constantFrom('`', '```', '~~~', '\n', '\r', '    ', '<', '# ', 'a', '\u2028', '\u0000', '\u200b', '\u{e0041}', '💥'),
    });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), (text) => {
        const shown = shownByBlock(codeBlock(text, all));
        expect(shown?.trim()).toBe(shownText(text).trim());
      }),
    );
  });

  test('is cut, however long it is', () => {
    for (const long of ['x', '`', ' ', '\n', '\u2028x', '💥`', 'a\n']) {
      const text = codeBlock(long.repeat(3_000_000), { lines: 20, characters: 500, from: 'end' });
      expect(Buffer.byteLength(text)).toBeLessThan(4000);
      expect(shownByBlock(text)).toBeDefined();
    }
  });
});

test('an excerpt is the first or the last lines, and says what is missing', () => {
  const text = 'one\ntwo\nthree\n';
  expect(excerptOf(text, { lines: 3, characters: 20, from: 'start' })).toBe('one\ntwo\nthree');
  expect(excerptOf(text, { lines: 2, characters: 20, from: 'start' })).toBe('one\ntwo\n…');
  expect(excerptOf(text, { lines: 2, characters: 20, from: 'end' })).toBe('…\ntwo\nthree');
  expect(excerptOf(text, { lines: 3, characters: 5, from: 'start' })).toBe('one\nt\n…');
  expect(excerptOf(text, { lines: 3, characters: 3, from: 'end' })).toBe('…\nree');
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
