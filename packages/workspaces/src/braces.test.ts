import { expect, test } from '@jest/globals';
import { expandBraces } from './braces.js';

const cases: Readonly<Record<string, string>> = {
  'packages/*': 'packages/*',
  '{a,b}/c': 'a/c b/c',
  'x{a,b{1,2}}y{c,d}': 'xayc xayd xb1yc xb1yd xb2yc xb2yd',
  'a{,-b}': 'a a-b',
  'p{1..3}': 'p1 p2 p3',
  'p{3..1}': 'p3 p2 p1',
  'p{08..10}': 'p08 p09 p10',
  'p{1..7..3}': 'p1 p4 p7',
  '{-1..1}': '-1 0 1',
  '{a..c}': 'a b c',
  '{e..a..2}': 'e c a',
  '{one}': '{one}',
  '{one{a,b}}': '{onea} {oneb}',
  '\\{a,b}': '\\{a,b}',
  '{a\\,b,c}': 'a\\,b c',
  '{a,b': '{a,b',
  'a}{b,c}': 'a}b a}c',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a pattern
  '${a,b}': '${a,b}',
  '[{a,b}]': '[{a,b}]',
  '{@(a,b),c}': '@(a,b) c',
  '!{a,b}': '!a !b',
};

test.each(Object.entries(cases))('%s', (pattern, expected) => {
  expect(expandBraces(pattern).join(' ')).toBe(expected);
});
