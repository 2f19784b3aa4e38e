import { expect, test } from '@jest/globals';
import { type FileRole, roleOf } from './file-roles.js';

test.each<readonly [FileRole, ...paths: string[]]>([
  ['manifest', 'package.json'],
  [
    'documentation',
    'README.md',
    'readme',
    'LICENSE',
    'LICENSE-MIT.txt',
    'docs/deep/a.png',
    'src/notes.md',
    'CHANGELOG.adoc',
    'CHANGELOG.json',
  ],
  [
    'tests',
    'src/a.test.ts',
    'a.spec.mjs',
    'src/__tests__/a.js',
    'test/data/a.json',
    'e2e/a.sh',
    'a.test.js.snap',
    'test.js',
    'src/a_test.ts',
  ],
  ['tests', 'jest.config.ts', 'vitest.setup.mjs', '.mocharc.yml', '.eslintrc.cjs', 'eslint.config.mjs', '.prettierignore', 'karma.conf.js'],
  ['source', 'src/index.js', 'CHANGELOG.js', 'README.ts', 'security.ts', 'history.mjs', 'docs/a.js', 'images/a.png', 'src/package.json'],
  [
    'source',
    'src/testing/a.js',
    'latest/a.js',
    'src/contest.js',
    'vite.config.ts',
    'tsconfig.json',
    '.npmignore',
    'guide.mdx',
    'license.json',
  ],
])('%s: %j, %j …', (role, ...paths) => {
  expect(paths.map((path) => [path, roleOf(path)])).toEqual(paths.map((path) => [path, role]));
});
