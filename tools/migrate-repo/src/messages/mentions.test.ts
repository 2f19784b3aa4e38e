import { expect, test } from '@jest/globals';
import { breakMentions } from './mentions.js';

const SEPARATED = { owner: 'acme', separator: '|' };

const broken: readonly (readonly [before: string, after: string])[] = [
  ['@ada', '@|ada'],
  ['Thanks to @ada, @bob-b and (@Eve_1).', 'Thanks to @|ada, @|bob-b and (@|Eve_1).'],
  ['/cc @ada', '/cc @|ada'],
  ['@acme/team', '@|acme/team'],
  ['@Acme/team', '@|Acme/team'],
  ['   * @param x', '   * @|param x'],
  ['`@ada`', '`@|ada`'],
  ['\xe8\xb0\xa2@ada', '\xe8\xb0\xa2@|ada'],
  ['@@ada', '@@|ada'],
  ['Reported-by: @ada <ada@example.com>', 'Reported-by: @|ada <ada@example.com>'],
  ['@ada.', '@|ada.'],
  ['@2', '@|2'],
  ['[bot]@ada', '[bot]@|ada'],
  ['x[bot]@ada', 'x[bot]@|ada'],
  ['[bot]@users.noreply.github.com', '[bot]@|users.noreply.github.com'],
];

test.each(broken)('%j', (before, after) => {
  expect(breakMentions(before, SEPARATED).text).toBe(after);
  expect(breakMentions(after, SEPARATED).count).toBe(0);
});

const left: readonly string[] = [
  'ada@example.com',
  'ada.b+@example.com',
  'Co-authored-by: Ada <ada@example.com>',
  'Co-authored-by: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
  '@babel/core',
  '@types/node@18',
  '@foo.bar/baz',
  'react@18.2.0',
  'moved to @1.2.3',
  'https://host.example/@ada',
  '@ ada',
  'HEAD@{1} and @{u}',
  '@@ -1,3 +1,4 @@ x',
  '@',
];

test.each(left)('%j stays', (text) => {
  expect(breakMentions(text, SEPARATED)).toEqual({ text, count: 0 });
});

test('where the owner is not known, every scope stays', () => {
  expect(breakMentions('@acme/ui @ada', { owner: undefined, separator: '|' }).text).toBe('@acme/ui @|ada');
});
