import { expect, test } from '@jest/globals';
import { shellWord } from './shell-word.js';

test.each([
  ['origin/main', 'origin/main'],
  ['', "''"],
  ['$(id)', "'$(id)'"],
  ["it's;id", "'it'\\''s;id'"],
])('%s becomes %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
