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
  ['a test starts the linter itself', { 'packages/alone/a.test.js': "import { ESLint } from 'eslint';\n" }, 'eslint.config.js'],
])('affect a workspace where %s', async (_, before, file) => {
  expect(await scene.ask({ before: { ...before, [file]: '{}\n' }, files: { [file]: '{ }\n' } })).toEqual(['alone']);
});

test('a key of the root manifest that only a linter reads does, too', async () => {
  const before = { ...scripts({ test: 'prettier --check .' }), ...manifestOf('', { prettier: { semi: true } }) };
  expect(await scene.ask({ before, files: manifestOf('', { prettier: { semi: false } }) })).toEqual(['alone']);
});

describe('affect nobody', () => {
  test.each<[sentence: string, before: Files, file: string]>([
    ['where only a script of linters starts the tool', scripts({ test: 'jest', lint: 'eslint .' }), '.eslintrc.json'],
    ['where a test only names its settings', { 'packages/alone/.eslintrc.json': '{ "plugins": ["eslint"] }' }, 'eslint.config.js'],
    ['that Yarn checks', scripts({ test: 'yarn jest' }), 'yarn.config.cjs'],
    ['that have the name of a tool below a folder', scripts({ test: 'eslint .' }), '.vscode/eslint.json'],
  ])('%s', async (_, before, file) => {
    expect(await scene.ask({ before: { ...before, [file]: '{}\n' }, files: { [file]: '{ }\n' } })).toEqual([]);
  });
});
