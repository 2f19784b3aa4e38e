import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

// What code and shell files start counts like what scripts start. The file of the root has a second reader, so that it is never unclaimed.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const SERVER = 'tools/serve.js';
const START = 'node ../../tools/serve.js';
const scripts = (own: Readonly<Record<string, string>>): Files => ({
  ...manifestOf('packages/alone', { scripts: own }),
  ...manifestOf('packages/dev-user', { scripts: { test: START } }),
  [SERVER]: '1;\n',
});

test.each<[sentence: string, before: Files]>([
  [
    'settings of browser tests start',
    {
      ...scripts({ test: 'playwright test', start: START }),
      'packages/alone/playwright.config.ts': "export default { webServer: { command: 'yarn start' } };\n",
    },
  ],
  [
    'a test starts, whatever its name says',
    { ...scripts({ test: 'jest', release: START }), 'packages/alone/a.test.js': "require('child_process').execSync('yarn release');\n" },
  ],
  [
    'a test starts by a list of words',
    { ...scripts({ test: 'jest', lint: START }), 'packages/alone/a.test.js': "spawnSync('npm', ['run', 'lint']);\n" },
  ],
  ['a shell file starts', { ...scripts({ test: 'sh e2e.sh', docs: START }), 'packages/alone/e2e.sh': 'yarn docs &\nyarn jest\n' }],
])('a file that only a script names counts for a workspace whose script %s', async (_, before) => {
  expect(await scene.ask({ before, files: { [SERVER]: '2;\n' } })).toEqual(['alone', 'dev-user', 'monorepo']);
});

test.each<[sentence: string, before: Files]>([
  ['code', { 'packages/alone/a.test.js': "require('child_process').execSync('yarn workspace dev-user build');\n" }],
  ['a shell file', { 'packages/alone/e2e.sh': 'yarn workspace dev-user build\n' }],
])('who starts a script of another workspace in %s reads that workspace', async (_, before) => {
  const other = manifestOf('packages/dev-user', { scripts: { build: 'tsc' } });
  expect(await scene.ask({ before: { ...before, ...other }, files: { 'packages/dev-user/a.js': '2;\n' } })).toEqual(['alone', 'dev-user']);
});

test.each<[sentence: string, before: Files]>([
  ['code', { 'packages/alone/a.test.js': "require('child_process').execSync('eslint .');\n" }],
  ['a shell file', { 'packages/alone/check.sh': 'npx eslint .\n' }],
])('who starts a linter in %s is affected by its settings', async (_, before) => {
  expect(await scene.ask({ before: { ...before, '.eslintrc.json': '{}\n' }, files: { '.eslintrc.json': '{ }\n' } })).toEqual(['alone']);
});

test('a comment starts nothing', async () => {
  const before = { ...scripts({ test: 'jest', start: START }), 'packages/alone/a.test.js': "// execSync('yarn start')\n" };
  expect(await scene.ask({ before, files: { [SERVER]: '2;\n' } })).toEqual(['dev-user', 'monorepo']);
});
