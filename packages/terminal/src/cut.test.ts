import { expect, test } from '@jest/globals';
import { cutMiddle, cutToWidth } from './cut.js';

test.each([
  ['short', 10, 'short'],
  ['exactly 10', 10, 'exactly 10'],
  ['more than ten', 10, 'more than…'],
  ['日本語日本語', 7, '日本語…'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
  ['a\nb\x1b[2Jc', 20, 'a b [2Jc'],
])('%p in %i columns', (text, columns, expected) => {
  expect(cutToWidth(text, columns)).toBe(expected);
});

test.each([
  ['short', 10, 'short'],
  ['exactly 10', 10, 'exactly 10'],
  ['@acme/a-long-name-of-a-package', 11, '@acme…ckage'],
  ['@acme/a-long-name-of-a-package', 10, '@acme…kage'],
  ['日本語日本語', 7, '日…語'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦…👩‍👩‍👧‍👦'],
  ['a\nb', 20, 'a b'],
])('%p in %i columns, without its middle', (text, columns, expected) => {
  expect(cutMiddle(text, columns)).toBe(expected);
});

test('what is as wide as it likes is left as it is', () => {
  const name = 'x'.repeat(1000);
  expect([cutToWidth(name, Number.POSITIVE_INFINITY), cutMiddle(name, Number.POSITIVE_INFINITY)]).toEqual([name, name]);
});
