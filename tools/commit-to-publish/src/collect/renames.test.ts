import { expect, test } from '@jest/globals';
import { renamesOf } from './renames.js';

test('a name leads over all that follow to the last, and a circle to none', () => {
  const nameNow = renamesOf([
    ['babylon', 'parser'],
    ['parser', '@babel/parser'],
    ['a', 'b'],
    ['b', 'a'],
  ]);
  expect(['babylon', 'parser', '@babel/parser', 'other', 'a'].map(nameNow)).toEqual([
    '@babel/parser',
    '@babel/parser',
    '@babel/parser',
    'other',
    'a',
  ]);
});
