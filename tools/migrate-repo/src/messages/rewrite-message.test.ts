import { expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { type MessageContext, rewriteMessage } from './rewrite-message.js';

const OLD = '0a2b4c6d89abcdef0a2b4c6d89abcdef0a2b4c6d';
const CONTEXT: MessageContext = {
  repository: { name: 'acme/ui', forge: 'other' },
  newId: (quoted) => (OLD.startsWith(quoted) ? 'f'.repeat(quoted.length) : undefined),
};
const bytes = (text: string, encoding: BufferEncoding = 'utf8'): string => Buffer.from(text, encoding).toString('latin1');
const rewrite = (text: string, encoding?: string): string | undefined => rewriteMessage({ text, encoding }, CONTEXT)?.text;

test('all rules together, each counted', () => {
  const text = bytes('Größe: fixes #12 (GH-13), thanks @ada\n\nReverts 0a2b4c6.\n');
  expect(rewriteMessage({ text, encoding: undefined }, CONTEXT)).toEqual({
    text: bytes('Größe: fixes the issue acme/ui#12 (acme/ui#13), thanks @ ada\n\nReverts fffffff.\n'),
    references: 2,
    unqualified: 0,
    closingWords: 1,
    mentions: 1,
    commitIds: 1,
    untouched: 0,
  });
});

test('where the repository is not known, nothing closes all the same, and what stays is counted', () => {
  expect(rewriteMessage({ text: 'fixes #12, #13', encoding: undefined }, { ...CONTEXT, repository: undefined })).toMatchObject({
    text: 'fixes the issue #12, #13',
    references: 0,
    unqualified: 2,
    closingWords: 1,
  });
});

const quoted: readonly (readonly [before: string, after: string | undefined])[] = [
  [`This reverts commit ${OLD}.`, `This reverts commit ${'f'.repeat(40)}.`],
  [`(cherry picked from commit ${OLD})`, `(cherry picked from commit ${'f'.repeat(40)})`],
  ['`0a2b4c6d89` and 0a2b4c6..0a2b4c6d', '`ffffffffff` and fffffff..ffffffff'],
  ['0a2b4c6: x', 'fffffff: x'],
  ['0a2b4c', undefined],
  ['0a2b4c6d00', undefined],
  ['g0a2b4c6', undefined],
  ['https://host.example/acme/ui/commit/0a2b4c6', undefined],
  ['acme/ui@0a2b4c6', undefined],
  ['v1.2-3-0a2b4c6', undefined],
  ['bundle.0a2b4c6.js', undefined],
  ['0a2b4c6.js', undefined],
  ['x.0a2b4c6', undefined],
  ['[0a2b4c6](https://host.example/x) and [`0a2b4c6`](y)', undefined],
  ['0A2B4C6D89ABCDEF', undefined],
];

test.each(quoted)('%j', (before, after) => {
  expect(rewrite(before)).toBe(after);
});

test('a word and a number are no ids, unless they are as long as one', () => {
  const all = { ...CONTEXT, newId: () => 'X' };
  expect(rewriteMessage({ text: 'defaced 20200131', encoding: undefined }, all)).toBeUndefined();
  expect(rewriteMessage({ text: '1'.repeat(40), encoding: undefined }, all)?.text).toBe('X');
});

test('what an encoding allows', () => {
  const text = bytes('Gr\xfc\xdfe @ada\n', 'latin1');
  expect(rewrite(text)).toBe(bytes('Gr\xfc\xdfe @ ada\n', 'latin1'));
  expect(rewrite(text, 'ISO-8859-1')).toBe(bytes('Gr\xfc\xdfe @ ada\n', 'latin1'));
  expect(rewrite('@ada', 'UTF-8')).toBe('@ ada');
  expect(rewriteMessage({ text: '@ada', encoding: undefined }, { ...CONTEXT, mentions: 'zero-width' })?.text).toBe('@\xe2\x80\x8bada');
  expect(rewrite('@ada', 'latin1')).toBe('@ ada');
  expect(rewrite('@ada', 'EUC-JP')).toBe('@ ada');
  for (const unsafe of ['Shift_JIS', 'GBK', 'gb18030', 'Big5', 'ISO-2022-JP', 'UTF-7', 'HZ', 'UTF-16', 'nonsense', ''])
    expect([unsafe, rewriteMessage({ text: 'fixes #12, @ada', encoding: unsafe }, CONTEXT)]).toEqual([
      unsafe,
      expect.objectContaining({ text: 'fixes #12, @ada', closingWords: 0, untouched: 1 }),
    ]);
});

test('a message with a NUL stays, since no header can keep it', () => {
  expect(rewrite('fixes #12\0')).toBe('fixes #12\0');
});

const piece = fc.constantFrom(
  ...[
    '#12',
    'GH-3',
    'fixes',
    'Closes:',
    'issue',
    '@ada',
    '@acme/ui',
    'acme/ui#4',
    '0a2b4c6',
    'https://a.example/b#1',
    '`',
    '```',
    '\n\n',
    '\n',
    '    ',
  ],
  ...[' ', '\t', '.', '-', 'x', '\xff', '\xc3\xa4', '\r\n', '@', '#', '/', ':'],
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(' ')),
);

test('lines stay lines, and a message that was rewritten stays as it is when it is rewritten again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = rewrite(text) ?? text;
      expect(once.split('\n')).toHaveLength(text.split('\n').length);
      expect(rewrite(once) ?? once).toBe(once);
    }),
    { numRuns: cases(2000) },
  );
});

test('a large message takes no longer than it is large', () => {
  const parts = ['fix ', 'a/', 'a.b', '`', '@a', '#1', 'fix: ', 'x://', '\n    ', '0a2b4c6', '  ', 'fix\n', '```\n', '\n \n'];
  for (const part of parts) {
    const started = process.cpuUsage().user;
    rewrite(`#12 ${part.repeat(200_000 / part.length)} fixes #12`);
    expect([part, (process.cpuUsage().user - started) / 1000 < 1500]).toEqual([part, true]);
  }
});
