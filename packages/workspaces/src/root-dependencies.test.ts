import { describe, expect, test } from '@jest/globals';
import { buildRootOnly, ROOT_ONLY_DEPENDENCIES } from './root-dependencies.js';

describe('a dependency of the root', () => {
  const isRootOnly = buildRootOnly([]);
  const own = [
    'prettier',
    'prettier-plugin-x',
    '@prettier/plugin-xml',
    '@acme/prettier-config',
    'eslint',
    'eslint-plugin-import',
    '@eslint/js',
  ];
  const tools = [
    '@acme/eslint-config',
    '@acme/eslint',
    'typescript-eslint',
    '@typescript-eslint/parser',
    'husky',
    'lint-staged',
    '@changesets/cli',
  ];
  test.each([...own, ...tools, '@biomejs/biome', 'semantic-release', '@commitlint/cli', 'typedoc'])('%s is for the root alone', (name) => {
    expect(isRootOnly(name)).toBe(true);
  });

  const shared = [
    'typescript',
    'jest',
    '@jest/globals',
    'vitest',
    '@babel/core',
    'turbo',
    'webpack',
    'rollup',
    '@types/node',
    'esbuild',
    'ts-node',
  ];
  const alike = ['prettierx', 'my-prettier', 'eslintx', '@prettier', 'husky-x', '@acme/husky', 'babel-eslint', 'knip-x'];
  test.each([...shared, ...alike, '', 'constructor'])('"%s" counts for all', (name) => {
    expect(isRootOnly(name)).toBe(false);
  });
});

describe('the user adds', () => {
  test.each<[pattern: string, name: string, is: boolean]>([
    ['cspell-x', 'cspell-x', true],
    ['my-*', 'my-tool', true],
    ['my-*', '@acme/my-tool', false],
    ['@acme/*', '@acme/tool', true],
    ['@acme/*', '@acme2/tool', false],
    ['@acme/{a,b}', '@acme/b', true],
    ['*', 'typescript', true],
    ['*', '@babel/core', true],
  ])('%s, and %s is for the root alone: %s', (pattern, name, is) => {
    expect(buildRootOnly([pattern])(name)).toBe(is);
  });

  test('and what was there stays', () => {
    const isRootOnly = buildRootOnly(['x']);
    for (const name of ROOT_ONLY_DEPENDENCIES.filter((pattern) => !pattern.includes('*'))) expect(isRootOnly(name)).toBe(true);
  });
});
