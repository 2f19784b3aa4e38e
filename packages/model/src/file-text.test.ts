import { expect, test } from '@jest/globals';
import { conflictLine, isNestedTooDeep, lineAt, withoutBom } from './file-text.js';

test('lines count from 1 and a byte order mark is no content', () => {
  expect([lineAt('a\nb\r\nc', 0), lineAt('a\nb\r\nc', 2), lineAt('a\nb\r\nc', 5)]).toEqual([1, 2, 3]);
  expect([withoutBom('\uFEFFx'), withoutBom('x'), withoutBom('')]).toEqual(['x', 'x', '']);
});

test('a conflict marker begins its line', () => {
  expect(conflictLine('a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n')).toBe(2);
  expect(conflictLine('a\r\nb\r\n>>>>>>>\r\n')).toBe(3);
  expect(conflictLine('{"a": "<<<<<<< HEAD"}')).toBeUndefined();
  expect(conflictLine('<<<<<<<<<< not one\n')).toBeUndefined();
});

test('brackets count as far as they stand in each other', () => {
  expect(['', '[]'.repeat(900), '[{'.repeat(100), `]${'['.repeat(200)}`].map(isNestedTooDeep)).toEqual([false, false, false, false]);
  expect(['['.repeat(201), `x: ${'[{'.repeat(500)}`, `${']'.repeat(900)}${'{'.repeat(201)}`].map(isNestedTooDeep)).toEqual([
    true,
    true,
    true,
  ]);
});

test('lists and maps without brackets count too, on one line or by their indentation', () => {
  const steps = (count: number): string => Array.from({ length: count }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
  expect(['- '.repeat(199), steps(200), 'a:\n  b: 1\n'.repeat(900), ' '.repeat(900)].map(isNestedTooDeep)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(['- '.repeat(20_000), `a:\n  ${'? '.repeat(20_000)}`, steps(3000)].map(isNestedTooDeep)).toEqual([true, true, true]);
});
