import { expect, test } from '@jest/globals';
import { matchesStars } from './stars.js';

test.each([
  ['*', '', true],
  ['A_*', 'A_B', true],
  ['*_B', 'A_B', true],
  ['A*B*C', 'AxByC', true],
  ['A*A', 'A', false],
  ['A', 'AB', false],
  [`${'*A'.repeat(40)}B`, 'A'.repeat(200), false],
])('stars: %.20s and %.20s', (pattern, text, matches) => expect(matchesStars(pattern, text)).toBe(matches));
