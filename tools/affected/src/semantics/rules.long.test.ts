import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, YARNRC } from './monorepo.fixture.js';
import { type Answer, ask, MonorepoScene, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

function configured(affected: unknown): Files {
  return { 'tributary.json': `${JSON.stringify({ affected }, null, 2)}\n` };
}

function touched(...files: readonly string[]): Files {
  return Object.fromEntries(files.map((file) => [file, 'changed\n']));
}

const RULES = [
  { files: ['**/*.dat', '!packages/lib/**'], affects: 'none' },
  { files: 'packages/*/README.md', affects: 'none' },
  { files: ['**/*.test.js'], affects: 'owner' },
  { files: 'packages/alone/api/**', affects: ['by-dev', 'tool'] },
  { files: 'packages/alone/shared/**', affects: 'all' },
  { files: ['e2e/**', 'fixtures/*.json'], affects: ['by-dev'] },
  { files: 'scripts/**', affects: 'none' },
  { files: 'config/root/**', affects: 'owner' },
  { files: 'config/**', affects: 'all' },
  { files: 'old/**', affects: ['somebody-who-left'] },
  { files: 'tsconfig.tool.json', affects: ['tool'] },
];

const CASES: readonly (readonly [sentence: string, changed: readonly string[], affected: Answer])[] = [
  ['"none": a file of a workspace affects nobody', ['packages/lib/README.md'], []],
  ['"none": a file outside of all workspaces affects nobody', ['scripts/release.js'], []],
  ['"none" for one file does not excuse another one', ['packages/lib/README.md', 'packages/alone/src/a.js'], ['alone']],
  ['"owner": a test file affects its workspace, and nobody who depends on it', ['packages/lib/src/a.test.js'], ['lib']],
  ['"owner" for one file and not for another one of the same workspace', ['packages/lib/a.test.js', 'packages/lib/a.js'], LIB_AND_USERS],
  ['"owner" outside of all workspaces is the root', ['config/root/a.json'], ['monorepo']],
  ['"all": a file of a workspace affects everybody', ['packages/alone/shared/a.js'], 'all: RULE'],
  ['"all": a file outside of all workspaces affects everybody', ['config/a.json'], 'all: RULE'],
  ['names: these workspaces and who depends on them', ['e2e/login.js'], ['by-dev', 'dev-user']],
  ['names stand beside the owner, whose file it stays', ['packages/alone/api/a.js'], ['alone', 'by-dev', 'dev-user', 'monorepo', 'tool']],
  ['a name that is no workspace affects everybody', ['old/a.js'], 'all: RULE'],
  ['the first rule that matches decides', ['config/root/b.json', 'packages/lib/src/b.test.js'], ['lib', 'monorepo']],
  ['a pattern with ! takes files out of its rule', ['packages/lib/a.dat'], LIB_AND_USERS],
  ['a pattern with ! takes out no others', ['packages/alone/a.dat'], []],
  ['a rule of the project comes before the built-in one', ['tsconfig.tool.json'], ['monorepo', 'tool']],
  ['a star ends at a slash', ['fixtures/deep/a.json'], 'all: FILE_UNCLAIMED'],
  ['a hidden file is matched like any other', ['e2e/.env'], ['by-dev', 'dev-user']],
];

test.each(CASES)('%s', async (_, changed, affected) => {
  expect(await scene.ask({ before: configured({ rules: RULES }), files: touched(...changed) })).toEqual(affected);
});

test('a rule is named as the reason, with the file', async () => {
  const result = await scene.resultOf({ before: configured({ rules: RULES }), files: touched('e2e/login.js') });
  expect(result.workspaces.map(({ name, reasons }) => [name, reasons])).toEqual([
    ['by-dev', [{ kind: 'rule', file: 'e2e/login.js', rule: 'e2e/**' }]],
    ['dev-user', [{ kind: 'dependency', path: ['dev-user', 'by-dev'], because: { kind: 'rule', file: 'e2e/login.js', rule: 'e2e/**' } }]],
  ]);
});

describe('a change cannot switch off its own tests', () => {
  test.each<[string, Files, Files]>([
    ['rules that come', {}, configured({ rules: [{ files: 'packages/**', affects: 'none' }] })],
    ['rules that change', configured({ rules: RULES }), configured({ rules: [{ files: '**', affects: 'none' }] })],
    ['rules that go', configured({ rules: RULES }), { 'tributary.json': null }],
    ['rules that were broken', { 'tributary.json': '{' }, configured({ rules: RULES })],
    ['a key that was removed, and goes', configured({ dev: 'terminal' }), configured({})],
    ['`always` that goes', configured({ always: ['tool'] }), configured({})],
    ['root dependencies that count for the root alone from now on', configured({}), configured({ rootOnlyDependencies: ['*'] })],
  ])('%s affect everybody', async (_, before, files) => {
    expect(await scene.ask({ before, files: { ...files, ...touched('packages/lib/src/index.js') } })).toBe('all: CONFIG_CHANGED');
  });
});

test('a change cannot take its own files out of the global dependencies of turbo.json', async () => {
  const before = {
    ...configured({ rules: [{ files: 'turbo.json', affects: 'none' }] }),
    'turbo.json': '{"globalDependencies": ["docs/*.md"]}\n',
  };
  expect(await scene.ask({ before, files: { 'turbo.json': '{}\n' } })).toEqual([]);
  expect(await scene.ask({ before, files: { 'turbo.json': '{}\n', 'docs/api.md': 'changed\n' } })).toBe('all: RULE');
});

test('turbo.jsonc is read like turbo.json', async () => {
  const before = { 'turbo.jsonc': '{"globalDependencies": ["docs/*.md"]} // words\n' };
  expect(await scene.ask({ before, files: touched('docs/api.md') })).toBe('all: RULE');
});

test('rules that the base branch got since do not count: the change stands on older ones', async () => {
  const repo = await scene.changed({ before: configured({ rules: RULES }), files: touched('scripts/a.js') });
  repo.branch('topic');
  repo.commit('Other rules', { files: configured({ rules: [{ files: '**', affects: 'all' }] }) });
  expect(await ask(repo, ['--base', 'main', '--head', 'topic'])).toEqual([]);
  repo.checkout('topic');
  repo.commit('More', { files: touched('packages/lib/README.md', 'e2e/a.js') });
  expect(await ask(repo, ['--base', 'main'])).toEqual(['by-dev', 'dev-user']);
});

test.each<[string, Files]>([
  ['the lockfile', { 'yarn.lock': null }],
  ['the root manifest', manifestOf('', { scripts: {} })],
  ['the settings of Yarn', { '.yarnrc.yml': `# Words\n${YARNRC}` }],
])('a rule of the project for %s comes before what the tool knows of it', async (_, files) => {
  const before = configured({ rules: [{ files: ['yarn.lock', 'package.json', '.yarnrc.yml'], affects: 'all' }] });
  const change = { ...files, ...('yarn.lock' in files ? { 'yarn.lock': `${readText(scene.copy(), 'yarn.lock')}\n` } : {}) };
  expect(await scene.ask({ before, files: change })).toBe('all: RULE');
});

describe('a tributary.json that cannot be used is an error, and not an empty answer', () => {
  test.each<[string, string]>([
    ['no JSON', '{"affected": '],
    ['an unknown key', '{"affected": {"rule": []}}'],
    ['a key that was removed', '{"affected": {"dev": "transitive"}}'],
    ['an unknown effect', '{"affected": {"rules": [{"files": "a", "affects": "some"}]}}'],
    ['an empty list of names', '{"affected": {"rules": [{"files": "a", "affects": []}]}}'],
  ])('%s', async (_, text) => {
    const broken = { 'tributary.json': text };
    expect(await scene.failureOf({ before: broken, files: touched('packages/lib/a.js') })).toEqual({ exit: 1, code: 'CONFIG_INVALID' });
    expect(await scene.failureOf({ files: broken })).toEqual({ exit: 1, code: 'CONFIG_INVALID' });
  });

  test('nor one of turbo.json', async () => {
    const change = { before: { 'turbo.json': '{"globalDependencies": "all"}\n' }, files: touched('scripts/a.js') };
    expect(await scene.failureOf(change)).toEqual({ exit: 1, code: 'CONFIG_INVALID' });
  });
});

describe('always', () => {
  const before = configured({ always: ['tool', 'ring-a'] });

  test('is the whole answer where nothing changed, and brings no dependents', async () => {
    expect(await scene.ask({ before })).toEqual(['ring-a', 'tool']);
  });

  test('is added to every answer', async () => {
    expect(await scene.ask({ before, files: touched('packages/alone/a.js') })).toEqual(['alone', 'ring-a', 'tool']);
  });

  test('stands beside the other reasons', async () => {
    const result = await scene.resultOf({ before, files: touched('packages/tool/a.js') });
    expect(result.workspaces.find(({ name }) => name === 'tool')?.reasons).toEqual([
      { kind: 'file', file: 'packages/tool/a.js', others: 0 },
      { kind: 'always' },
    ]);
  });

  test('a name that is no workspace must not drop out in silence', async () => {
    expect(await scene.ask({ before: configured({ always: ['gone'] }), files: touched('packages/alone/a.js') })).toBe('all: RULE');
  });
});
