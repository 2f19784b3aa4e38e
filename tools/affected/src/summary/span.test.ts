import { expect, test } from '@jest/globals';
import { span } from './span.js';

test.each<[seconds: number, expected: string]>([
  [0, '0 s'],
  [0.4, '0 s'],
  [42, '42 s'],
  [59.4, '59 s'],
  [59.6, '1 min 00 s'],
  [425, '7 min 05 s'],
  [3599.4, '59 min 59 s'],
  [3599.6, '1 h 00 min'],
  [3720, '1 h 02 min'],
  [86_400, '24 h 00 min'],
])('%p seconds are %s', (seconds, expected) => expect(span(seconds)).toBe(expected));
