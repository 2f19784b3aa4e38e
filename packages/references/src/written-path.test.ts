import { expect, test } from '@jest/globals';
import { cutPattern, mayEnd } from './written-path.js';

test.each<readonly [path: string, prefix: string, ending: string | undefined]>([
  ['../a/b', '../a/b', undefined],
  ['../*/src', '..', 'src'],
  ['../$1/src/jsx', '..', 'src/jsx'],
  ['<rootDir>/../$1/src/jsx', '<rootDir>/..', '/src/jsx'],
  ['<rootDir>/../$1/src/**', '<rootDir>/..', 'src'],
  ['<rootDir>/../$1/src/$2', '<rootDir>/..', undefined],
  ['../*/src/**', '..', 'src'],
  ['../**/*.md', '..', '.md'],
  ['../**/*.{md,txt}', '..', undefined],
  ['../**', '..', undefined],
  ['../**/a?.js', '..', undefined],
])('the pattern %s begins with %s and ends with %s', (path, prefix, ending) => {
  expect(cutPattern(path)).toMatchObject({ prefix, ...(ending === undefined ? {} : { ending }) });
  expect(cutPattern(path).ending).toBe(ending);
});

test.each<readonly [file: string, ending: string | undefined, may: boolean]>([
  ['a/b.js', undefined, true],
  ['p/a/src/x.js', 'src', true],
  ['p/a/src.ts', 'src', true],
  ['p/a/README.md', 'src', false],
  ['p/a/resrc/x.js', 'src', false],
  ['p/src/src2/x.js', 'src', true],
  ['p/a/src/index.ts', '/src', true],
  ['p/a/src.tsx', '/src', true],
  ['p/a/CHANGELOG.md', '/src/jsx/runtime', false],
  ['p/a/src/package.json', '/src', true],
  ['p/a/src/x/index.ts', '/src', false],
  ['p/a/src/index.test.ts', '/src', false],
  ['p/a/src/src.test.ts', '/src', false],
  ['p/a/README.md', '.md', true],
  ['p/a/README.mdx', '.md', false],
])('%s may end with %s: %s', (file, ending, may) => {
  expect(mayEnd(file, ending)).toBe(may);
});
