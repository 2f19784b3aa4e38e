import { expect, test } from '@jest/globals';
import { grouped } from './grouped.js';

test('the same words of several packages are one line, and nothing is none', () => {
  const said = [
    { newcomer: 'a', text: 'x' },
    { newcomer: 'b', text: 'y' },
    { newcomer: 'b', text: 'x' },
    { newcomer: 'b', text: 'x' },
    { newcomer: 'c', text: undefined },
  ];
  expect(grouped(said)).toEqual(['a, b: x', 'b: y']);
});

test('many packages are counted', () => {
  const said = ['a', 'b', 'c', 'd', 'e', 'f'].map((newcomer) => ({ newcomer, text: 'x' }));
  expect(grouped(said)).toEqual(['a, b, c and 3 more: x']);
  expect(grouped(said.slice(0, 4))).toEqual(['a, b, c, d: x']);
});
