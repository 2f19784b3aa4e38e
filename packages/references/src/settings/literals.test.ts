import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, isCodeSettings, isSettingsFile } from '../file-kinds.js';
import { keyedNames, namesIn } from './names.fixture.js';

describe('code that configures a tool', () => {
  const names: readonly (readonly [path: string, isSettings: boolean])[] = [
    ['babel.config.js', true],
    ['p/a/vite.config.mts', true],
    ['webpack.config.prod.cjs', true],
    ['webpack.prod.js', true],
    ['rollup.base.mjs', true],
    ['.eslintrc.cjs', true],
    ['.babelrc.js', true],
    ['.mocharc.js', true],
    ['karma.conf.js', true],
    ['gulpfile.js', true],
    ['gulpfile.babel.js', true],
    ['vitest.workspace.ts', true],
    ['.storybook/main.ts', true],
    ['src/config.ts', false],
    ['src/webpack-plugin.ts', false],
    ['src/config/index.ts', false],
    ['node_modules/x/jest.config.js', false],
    ['.yarn/x/jest.config.js', false],
    ['jest.config.json', false],
  ];
  test.each(names)('%s: %s', (path, isSettings) => {
    expect(isCodeSettings(path as RepoPath)).toBe(isSettings);
    expect(isCodeFile(path as RepoPath) || !isSettings).toBe(true);
  });

  const cases: readonly (readonly [code: string, found: readonly string[]])[] = [
    [
      "x = { presets: ['foo'] }",
      ['module foo', 'module babel-preset-foo', 'module eslint-plugin-foo', 'module jest-environment-foo', 'module karma-foo'],
    ],
    ['x = ["@x/foo"]', ['module @x/foo', 'module @x/babel-plugin-foo', 'module @x/eslint-config-foo']],
    ['x = ["@x"]', ['module @x/eslint-config', 'module @x/babel-preset']],
    ["x = ['plugin:@x/foo/all']", ['module @x/eslint-plugin-foo']],
    ["x = ['module:@x/p']", ['module @x/p']],
    ["x = './y'; y = '../z.js'", ['text ./y', 'text ../z.js']],
    ["x = 'a/b.js'", ['module a/b.js', 'text a/b.js']],
    ['x = `foo`', ['module foo']],
  ];
  test.each(cases)('%s: %j', (code, found) => {
    expect(namesIn('p/a/x.config.js', code)).toEqual(expect.arrayContaining([...found]));
  });

  test('has no words, patterns or long strings', () => {
    expect(namesIn('x.config.js', `['two words', '*.js', '', '.', '..', '1.5', '${'a'.repeat(101)}', "it's"]`)).toEqual([]);
  });

  test('lists each name once, at its first line, and none that is imported', () => {
    const found = keyedNames('x.config.js', "import 'foo';\nx = ['foo', 'bar', 'bar']");
    expect(found.filter(([, name]) => name === 'module foo')).toEqual([['', 'module foo']]);
    expect(found.filter(([, name]) => name === 'module bar')).toEqual([['literal', 'module bar']]);
  });

  test('takes nothing from comments, except types', () => {
    expect(namesIn('x.config.js', "// 'bar'\n/**\n * `@x/bar` and './y.js'\n */\n/** @type {import('z').A} */\nx = 1;")).toEqual(
      expect.arrayContaining(['module z']),
    );
    expect(namesIn('x.config.js', "// 'bar'\n/**\n * `@x/bar` and './y.js'\n */\nx = 1;")).toEqual([]);
  });

  test('other code has only its imports', () => {
    expect(namesIn('src/x.js', "x = ['foo', './y']")).toEqual([]);
  });
});

test('settings in folders of installed packages are none of the project', () => {
  const paths = ['a/package.json', 'turbo.jsonc', '.yarnrc.yml', 'a/.swcrc', 'Dockerfile', 'compose.yaml', '.nycrc.yml', 'x/typedoc.json'];
  for (const path of paths) {
    expect([path, isSettingsFile(path as RepoPath)]).toEqual([path, true]);
    expect(isSettingsFile(`node_modules/x/${path}` as RepoPath)).toBe(false);
    expect(isSettingsFile(`.yarn/x/${path}` as RepoPath)).toBe(false);
  }
  expect(isSettingsFile('a/data.txt' as RepoPath)).toBe(false);
  expect(isSettingsFile('.pnp.data.json' as RepoPath)).toBe(false);
  for (const path of ['.pnp.cjs', '.pnp.loader.mjs', 'examples/a/.pnp.js']) expect(isCodeFile(path as RepoPath)).toBe(false);
});
