import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

// Settings of the root that only linters and formatters read: who starts such a tool in tests is affected by them.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const scripts = (own: Readonly<Record<string, string>>): Files => manifestOf('packages/alone', { scripts: own });

const json = (path: string, value: object): Files => ({ [path]: JSON.stringify(value) });
const LINTING = { scripts: { style: 'biome check' } };
const LINTS = { test: 'jest', lint: 'eslint .' };
const NEEDED = { test: { dependsOn: ['check'] }, check: { dependsOn: ['lint'] }, lint: {} };

test.each<[sentence: string, before: Files, file: string]>([
  ['a test script lints', scripts({ test: 'eslint . && jest' }), '.eslintrc.json'],
  ['a test script calls one that lints', scripts({ test: 'yarn lint && jest', lint: 'eslint .' }), 'eslint.config.js'],
  ['the script before a test checks the format', scripts({ pretest: 'prettier --check .', test: 'jest' }), '.prettierrc'],
  ['a test script checks the format, by the settings of editors', scripts({ test: 'prettier --check .' }), '.editorconfig'],
  ['a test script calls the tool by its path', scripts({ test: '../../node_modules/.bin/stylelint .' }), '.stylelintrc.json'],
  ['a test script calls the tool by its package', scripts({ test: 'npx @biomejs/biome check' }), 'biome.json'],
  ['a test script runs the file of the tool', scripts({ test: 'node ../../node_modules/eslint/bin/eslint.js .' }), '.eslintrc.json'],
  ['a test script calls a tool with another ending', scripts({ test: 'markdownlint-cli2 x.md' }), '.markdownlint-cli2.yaml'],
  ['a test script looks for words', scripts({ 'test:words': 'cspell .' }), 'cspell.json'],
  ['a test script asks for changesets', scripts({ test: 'changeset status && jest' }), '.changeset/config.json'],
  ['a test script calls a tool that wraps another', scripts({ test: 'eslint_d . && jest' }), 'eslint.config.js'],
  ['a test script calls a tool whose settings have a shorter name', scripts({ test: 'lint-staged && jest' }), '.lintstagedrc'],
  [
    'a test script runs one of the root that lints',
    { ...manifestOf('', LINTING), ...scripts({ test: 'yarn run -T style' }) },
    'biome.json',
  ],
  ['tests need the linter, by turborepo', { ...scripts(LINTS), ...json('turbo.json', { tasks: NEEDED }) }, '.eslintrc.json'],
  ['tests need the linter, by Nx', { ...scripts(LINTS), ...json('nx.json', { targetDefaults: NEEDED }) }, '.eslintrc.json'],
  [
    'tests need the linter, by wireit',
    manifestOf('packages/alone', {
      scripts: { test: 'wireit', lint: 'wireit' },
      wireit: { test: { command: 'jest', dependencies: ['lint'] }, lint: { command: 'eslint .' } },
    }),
    '.eslintrc.json',
  ],
  [
    'the test runner runs the linter',
    { 'packages/alone/jest.config.js': "module.exports = { runner: 'jest-runner-eslint' };\n" },
    'eslint.config.js',
  ],
  [
    'the test runner runs the linter by its short name',
    { 'packages/alone/jest.config.js': "module.exports = { runner: 'eslint' };\n" },
    'eslint.config.js',
  ],
  [
    'settings of the runner write its name behind a shorter one',
    { 'packages/alone/jest.config.js': "module.exports = { a: 'foo', b: 'eslint-plugin-foo' };\n" },
    'eslint.config.js',
  ],
  ['a test imports a package that starts the linter', { 'packages/alone/a.test.js': "require('mocha-eslint');\n" }, 'eslint.config.js'],
  ['a test starts the linter itself', { 'packages/alone/a.test.js': "import { ESLint } from 'eslint';\n" }, 'eslint.config.js'],
])('affect a workspace where %s', async (_, before, file) => {
  expect(await scene.ask({ before: { ...before, [file]: '{}\n' }, files: { [file]: '{ }\n' } })).toEqual(['alone']);
});

test('a key of the root manifest that only a linter reads does, too', async () => {
  const before = { ...scripts({ test: 'prettier --check .' }), ...manifestOf('', { prettier: { semi: true } }) };
  expect(await scene.ask({ before, files: manifestOf('', { prettier: { semi: false } }) })).toEqual(['alone']);
});

test('affect everybody if the tests of all need a task of the root that lints', async () => {
  const before = {
    ...manifestOf('', LINTING),
    ...json('turbo.json', { tasks: { test: { dependsOn: ['//#style'] } } }),
    'biome.json': '{}',
  };
  expect(await scene.ask({ before, files: { 'biome.json': '{ }' } })).toEqual(expect.arrayContaining(['alone', 'lib', 'tool']));
});

describe('affect nobody', () => {
  test.each<[sentence: string, before: Files, file: string]>([
    ['where only a script of linters starts the tool', scripts({ test: 'jest', lint: 'eslint .' }), '.eslintrc.json'],
    [
      'where only another task needs the linter',
      {
        ...scripts(LINTS),
        ...json('turbo.json', { tasks: { release: { dependsOn: ['lint'] }, lint: {}, test: { dependsOn: ['^build'] } } }),
      },
      '.eslintrc.json',
    ],
    ['where a test only names its settings', { 'packages/alone/.eslintrc.json': '{ "plugins": ["eslint"] }' }, 'eslint.config.js'],
    [
      'where settings have a word that may be the name of a plugin',
      { 'packages/alone/jest.config.js': "const merge = require('deepmerge');\nmodule.exports = merge({}, { preset: 'x' });\n" },
      'eslint.config.js',
    ],
    ['that Yarn checks', scripts({ test: 'yarn jest' }), 'yarn.config.cjs'],
    ['that have the name of a tool below a folder', scripts({ test: 'eslint .' }), '.vscode/eslint.json'],
  ])('%s', async (_, before, file) => {
    expect(await scene.ask({ before: { ...before, [file]: '{}\n' }, files: { [file]: '{ }\n' } })).toEqual([]);
  });
});
