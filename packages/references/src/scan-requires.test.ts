import { expect, test } from '@jest/globals';
import { readMadeRequires } from './scan-requires.js';

const modules = (text: string): readonly string[] => readMadeRequires(text).map(({ specifier, line }) => `${line} ${specifier}`);

test.each<[text: string, ...found: string[]]>([
  ["const load = createRequire(import.meta.url);\nload('@a/b');", '2 @a/b'],
  ["let need = module.createRequire(x);\nneed.resolve( 'c' ); need('../d')", '2 c', '2 ../d'],
  ["const $r = createRequire(x), one = 1; $r('a')", '1 a'],
  ["const a = createRequire(x);\nconst b = createRequire(y);\nb('one'); a('two');", '3 one', '3 two'],
])('%s', (text, ...found) => {
  expect(modules(text)).toEqual(found);
});

test.each([
  "const require = createRequire(x); require('a')",
  "const load = createRequire(x); other.load('a'); reload('b'); load(name)",
  "load('a')",
  'const load = createRequire(x);',
])('%s has no other', (text) => {
  expect(modules(text)).toEqual([]);
});
