import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { ask, type ChangeCase, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

const UNCLAIMED = 'all: FILE_UNCLAIMED';
const RULE = 'all: RULE';

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

const LERNA = { version: '1.0.0', npmClient: 'yarn', command: { publish: { registry: 'a' }, run: { stream: true } } };

describe('lerna.json', () => {
  const lerna = (over: object): Files => ({ 'lerna.json': json({ ...LERNA, ...over }) });
  test.each<ChangeCase>([
    ['the version affects nobody', lerna({}), lerna({ version: '2.0.0' }), []],
    ['the layout affects nobody', lerna({}), { 'lerna.json': JSON.stringify(LERNA) }, []],
    ['how releases are published affects nobody', lerna({}), lerna({ command: { ...LERNA.command, publish: {} } }), []],
    ['how scripts are run affects everybody', lerna({}), lerna({ command: { ...LERNA.command, run: {} } }), UNCLAIMED],
    ['a command that is no map affects everybody', lerna({}), lerna({ command: 'run' }), UNCLAIMED],
    ['the client affects everybody', lerna({}), lerna({ npmClient: 'npm' }), UNCLAIMED],
    ['an unknown key affects everybody', lerna({}), lerna({ whatever: 1 }), UNCLAIMED],
    ['a new file affects everybody', {}, lerna({}), UNCLAIMED],
    ['a deleted file affects everybody', lerna({}), { 'lerna.json': null }, UNCLAIMED],
    ['what is no JSON affects everybody', lerna({}), { 'lerna.json': '{ "version": ' }, UNCLAIMED],
    ['a list affects everybody', lerna({}), { 'lerna.json': '[]' }, UNCLAIMED],
    [
      'the version affects a workspace whose code names the file',
      { ...lerna({}), 'packages/lib/src/v.js': "require('../../../lerna.json').version;\n" },
      lerna({ version: '2.0.0' }),
      LIB_AND_USERS,
    ],
    [
      'the version affects everybody where shared code names the file',
      { ...lerna({}), 'jest.config.js': "module.exports = require('./lerna.json');\n" },
      lerna({ version: '2.0.0' }),
      UNCLAIMED,
    ],
    [
      'the version affects nobody where a guide, a linter or the settings of a formatter name the file',
      {
        ...lerna({}),
        'docs/a.md': 'lerna.json',
        'eslint.config.js': "'lerna.json'",
        '.prettierignore': 'lerna.json',
        ...manifestOf('', { prettier: { overrides: [{ files: 'lerna.json' }] } }),
      },
      lerna({ version: '2.0.0' }),
      [],
    ],
    [
      'the version affects everybody where the test script of the root names the file',
      { ...lerna({}), ...manifestOf('', { scripts: { test: 'V=$(jq .version lerna.json) jest' } }) },
      lerna({ version: '2.0.0' }),
      UNCLAIMED,
    ],
    [
      'the version affects the workspaces that call a script of the root which names the file',
      {
        ...lerna({}),
        ...manifestOf('', { scripts: { test: 'jest', 'lint:ci': 'jq .version lerna.json' } }),
        ...manifestOf('packages/alone', { scripts: { test: 'yarn lint:ci && jest' } }),
      },
      lerna({ version: '2.0.0' }),
      ['alone'],
    ],
    [
      'the version affects everybody where a task of turborepo runs a script which names the file',
      {
        ...lerna({}),
        ...manifestOf('', { scripts: { test: 'jest', 'lint:ci': 'jq .version lerna.json' } }),
        'turbo.json': '{ "tasks": { "test": { "dependsOn": ["//#lint:ci"] } } }',
      },
      lerna({ version: '2.0.0' }),
      UNCLAIMED,
    ],
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

  test('a rule of the user and the global dependencies of turborepo come first', async () => {
    const rule = json({ affected: { rules: [{ files: 'lerna.json', affects: 'all' }] } });
    await scene.answers({ before: { ...lerna({}), 'tributary.json': rule }, files: lerna({ version: '2.0.0' }) }, RULE);
    const turbo = '{ "globalDependencies": ["lerna.json"] }';
    await scene.answers({ before: { ...lerna({}), 'turbo.json': turbo }, files: lerna({ version: '2.0.0' }) }, RULE);
    const none = json({ affected: { rules: [{ files: 'lerna.json', affects: 'none' }] } });
    await scene.answers({ before: { ...lerna({}), 'tributary.json': none }, files: lerna({ npmClient: 'npm' }) }, []);
  });

  test('beside a file that affects everybody it is no reason', async () => {
    await scene.answers({ before: lerna({}), files: { ...lerna({ version: '2.0.0' }), 'other.js': '' } }, UNCLAIMED);
  });

  test('together with a manifest both count', async () => {
    const files = { ...lerna({ version: '2.0.0' }), ...manifestOf('packages/alone', { description: 'New' }) };
    await scene.answers({ before: lerna({}), files }, ['alone']);
  });
});

describe('nx.json', () => {
  const NX = {
    cacheDirectory: '.a',
    namedInputs: { default: ['**'] },
    targetDefaults: { build: { cache: true }, lint: { cache: true }, test: { dependsOn: ['^build'] } },
  };
  const nx = (over: object): Files => ({ 'nx.json': json({ ...NX, ...over }) });
  const targets = (over: object): Files => nx({ targetDefaults: { ...NX.targetDefaults, ...over } });
  test.each<ChangeCase>([
    ['settings of caches and releases affect nobody', nx({}), nx({ cacheDirectory: '.b', parallel: 5, release: {}, nxCloudId: 'x' }), []],
    ['named inputs affect everybody', nx({}), nx({ namedInputs: {} }), UNCLAIMED],
    ['plugins affect everybody', nx({}), nx({ plugins: ['@nx/jest/plugin'] }), UNCLAIMED],
    ['a target for linters does not affect tests', nx({}), targets({ lint: { cache: false } }), []],
    ['a target for tests affects tests', nx({}), targets({ test: { dependsOn: [] } }), UNCLAIMED],
    ['a target that another depends on affects everybody', nx({}), targets({ build: { cache: false } }), UNCLAIMED],
    ['an executor affects everybody', nx({}), targets({ '@nx/js:tsc': {} }), UNCLAIMED],
    [
      'a target for linters affects everybody where other files say what depends on what',
      { ...nx({}), 'packages/lib/project.json': '{ "targets": { "test": { "dependsOn": ["lint"] } } }' },
      targets({ lint: { cache: false } }),
      UNCLAIMED,
    ],
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));
});

describe('codeowners.ts', () => {
  const scripts = { test: 'jest', lint: 'yarn codeowners:check', 'codeowners:check': 'tsx scripts/manage-codeowners.ts check' };
  const tool = { 'codeowners.ts': 'export default 1;\n', 'scripts/manage-codeowners.ts': "import o from '../codeowners.js';\n" };
  const before = { ...tool, ...manifestOf('', { scripts }) };
  const change = { 'codeowners.ts': 'export default 2;\n' };
  const workflow = (text: string): Files => ({ '.github/workflows/ci.yml': text });
  test.each<ChangeCase>([
    ['affects the root, whose scripts read it', before, change, ['monorepo']],
    [
      'may be named by a workflow that calls the script',
      { ...before, ...workflow('- run: yarn codeowners:check\n- run: yarn test\n') },
      change,
      ['monorepo'],
    ],
    [
      'affects everybody where a workflow with tests names it',
      { ...before, ...workflow('- run: tsx codeowners.ts\n- run: yarn test\n') },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where other code of the root names it',
      { ...before, 'scripts/x.ts': "import '../codeowners.js';\n" },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where tests of the root read it',
      { ...before, ...manifestOf('', { scripts: { test: 'tsx codeowners.ts' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where an install reads it',
      { ...before, ...manifestOf('', { scripts: { postinstall: 'tsx codeowners.ts' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects everybody where tests of the root call a script that reads it',
      { ...before, ...manifestOf('', { scripts: { ...scripts, test: 'yarn lint && jest' } }) },
      change,
      UNCLAIMED,
    ],
    [
      'affects a workspace that names it, too',
      { ...before, 'packages/tool/a.ts': "import '../../codeowners.js';\n" },
      change,
      ['monorepo', 'tool'],
    ],
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

  test('names the file as the reason', async () => {
    const { workspaces } = await scene.resultOf({ before, files: change });
    expect(workspaces[0]?.reasons).toEqual([{ kind: 'file', file: 'codeowners.ts', others: 0 }]);
  });
});

test('in a partial clone nobody is looked for', async () => {
  const repo = await scene.changed({
    before: { 'lerna.json': json(LERNA) },
    files: { 'lerna.json': json({ ...LERNA, version: '2.0.0' }) },
  });
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual([]);
  repo.git('config', 'remote.origin.promisor', 'true');
  expect(await ask(repo, ['--base', 'HEAD~1'])).toBe(UNCLAIMED);
});

test('what is not committed is compared, too', async () => {
  const repo = await scene.changed({ before: { 'lerna.json': json(LERNA) }, files: {} });
  repo.write({ 'lerna.json': json({ ...LERNA, version: '2.0.0' }), 'packages/alone/a.js': "'lerna.json'" });
  expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(['alone']);
});

test('for linters and builds other readers count', async () => {
  const before = { 'turbo.json': '{ "tasks": { "test": {}, "lint": {}, "build": {} } }', 'tsconfig.base.json': '{}' };
  const repo = await scene.changed({
    before: { ...before, ...manifestOf('', { scripts: { test: 'jest', lint: 'tsc -p tsconfig.base.json' } }) },
    files: { 'tsconfig.base.json': '{ "compilerOptions": {} }' },
  });
  const folder = cleanUp.add(new TempFolder());
  const planned = async (task: string): Promise<number> => {
    const run = await runCli('affected', ['plan', '--json', '--base', 'HEAD~1', '--task', task, '--out', folder.join('p.json')], {
      cwd: repo.path,
    });
    return (JSON.parse(run.stdout) as { affected: { workspaces: readonly unknown[] } }).affected.workspaces.length;
  };
  expect([await planned('test'), await planned('build'), await planned('lint')]).toEqual([0, 0, 21]);
});
