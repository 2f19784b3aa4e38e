import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { type Answer, ask, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

const UNCLAIMED = 'all: FILE_UNCLAIMED';
const RULE = 'all: RULE';

/** The files of a monorepo, the change of one of them, and the answer. */
type Case = readonly [sentence: string, before: Files, files: Files, affected: Answer];

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

async function check(before: Files, files: Files, affected: Answer): Promise<void> {
  expect(await scene.ask({ before, files })).toEqual(affected);
}

const LERNA = { version: '1.0.0', npmClient: 'yarn', command: { publish: { registry: 'a' }, run: { stream: true } } };

describe('lerna.json', () => {
  const lerna = (over: object): Files => ({ 'lerna.json': json({ ...LERNA, ...over }) });
  test.each<Case>([
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
  ])('%s', (_, before, files, affected) => check(before, files, affected));

  test('a rule of the user and the global dependencies of turborepo come first', async () => {
    const rule = json({ affected: { rules: [{ files: 'lerna.json', affects: 'all' }] } });
    await check({ ...lerna({}), 'tributary.json': rule }, lerna({ version: '2.0.0' }), RULE);
    await check({ ...lerna({}), 'turbo.json': '{ "globalDependencies": ["lerna.json"] }' }, lerna({ version: '2.0.0' }), RULE);
    const none = json({ affected: { rules: [{ files: 'lerna.json', affects: 'none' }] } });
    await check({ ...lerna({}), 'tributary.json': none }, lerna({ npmClient: 'npm' }), []);
  });

  test('beside a file that affects everybody it is no reason', async () => {
    await check(lerna({}), { ...lerna({ version: '2.0.0' }), 'other.js': '' }, UNCLAIMED);
  });

  test('together with a manifest both count', async () => {
    await check(lerna({}), { ...lerna({ version: '2.0.0' }), ...manifestOf('packages/alone', { description: 'New' }) }, ['alone']);
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
  test.each<Case>([
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
  ])('%s', (_, before, files, affected) => check(before, files, affected));
});

describe('codeowners.ts', () => {
  const scripts = { test: 'jest', lint: 'yarn codeowners:check', 'codeowners:check': 'tsx scripts/manage-codeowners.ts check' };
  const tool = { 'codeowners.ts': 'export default 1;\n', 'scripts/manage-codeowners.ts': "import o from '../codeowners.js';\n" };
  const before = { ...tool, ...manifestOf('', { scripts }) };
  const change = { 'codeowners.ts': 'export default 2;\n' };
  const workflow = (text: string): Files => ({ '.github/workflows/ci.yml': text });
  test.each<Case>([
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
  ])('%s', (_, files, changed, affected) => check(files, changed, affected));
});

describe('a tsconfig of the root', () => {
  const own = (over: object): string => json({ compilerOptions: { strict: true, ...over } });
  const extending = (folder: string, config = '../../tsconfig.base.json'): Files => ({
    [`${folder}/tsconfig.json`]: json({ extends: config }),
  });
  const base = { 'tsconfig.base.json': own({}) };
  const change = { 'tsconfig.base.json': own({ target: 'es2022' }) };
  test.each<Case>([
    ['that nobody names is one of an editor', base, change, []],
    ['affects nobody by its comments', base, { 'tsconfig.base.json': `// Words\n${own({})}` }, []],
    ['affects nobody by its schema', base, { 'tsconfig.base.json': json({ $schema: 'a', ...JSON.parse(own({})) }) }, []],
    ['affects the workspaces that extend it', { ...base, ...extending('packages/ring-a') }, change, ['ring-a', 'ring-b']],
    ['may be named without .json', { ...base, ...extending('packages/ring-a', '../../tsconfig.base') }, change, ['ring-a', 'ring-b']],
    [
      'may be one of several',
      { ...base, 'packages/alone/tsconfig.json': json({ extends: ['x', '../../tsconfig.base.json'] }) },
      change,
      ['alone'],
    ],
    [
      'affects who extends another one of the root that extends it',
      {
        ...base,
        'tsconfig.web.json': json({ extends: './tsconfig.base.json' }),
        ...extending('packages/alone', '../../tsconfig.web.json'),
      },
      change,
      ['alone'],
    ],
    [
      'may extend itself in a circle',
      { 'tsconfig.base.json': json({ extends: './tsconfig.web.json' }), 'tsconfig.web.json': json({ extends: './tsconfig.base.json' }) },
      change,
      [],
    ],
    [
      'affects everybody where tsconfig.json extends it',
      { ...base, 'tsconfig.json': json({ extends: './tsconfig.base.json' }) },
      change,
      RULE,
    ],
    ['affects everybody where the test runner names it', { ...base, 'jest.config.js': "'<rootDir>/tsconfig.base.json'" }, change, RULE],
    ['affects everybody where a name is put together', { ...base, 'jest.config.js': "'tsconfig.' + kind" }, change, RULE],
    ['affects everybody where a folder outside of workspaces extends it', { ...base, ...extending('e2e/app') }, change, RULE],
    [
      'affects everybody where a workflow with tests names it',
      { ...base, '.github/workflows/ci.yml': 'yarn test -p tsconfig.base.json' },
      change,
      RULE,
    ],
    ['affects everybody with nx, which knows the name', { ...base, 'nx.json': '{}' }, change, RULE],
    ['is looked for where it is deleted, too', { ...base, ...extending('packages/alone') }, { 'tsconfig.base.json': null }, ['alone']],
    ['is looked for where it is new, too', extending('packages/alone'), base, ['alone']],
    ['that is no JSON affects everybody', base, { 'tsconfig.base.json': '{ "compilerOptions": ' }, RULE],
    ['tsconfig.json itself affects everybody', { 'tsconfig.json': own({}) }, { 'tsconfig.json': own({ target: 'es2022' }) }, RULE],
    ['that only linters name is none of tests', { ...base, 'eslint.config.js': "project: './tsconfig.base.json'" }, change, []],
  ])('%s', (_, before, files, affected) => check(before, files, affected));

  test('is known by the base, too', async () => {
    const files = { ...change, ...extending('packages/alone', '../../tsconfig.json') };
    await check({ ...base, ...extending('packages/alone') }, files, ['alone']);
  });

  test.each<Case>([
    [
      'is of the workspace that has one of this name',
      { 'packages/lib/tsconfig.build.json': '{}', ...manifestOf('packages/lib', { scripts: { build: 'tsc -p tsconfig.build.json' } }) },
      {},
      [],
    ],
    [
      'is that of the root where the script leaves the folder',
      {
        'packages/alone/tsconfig.build.json': '{}',
        ...manifestOf('packages/alone', { scripts: { x: 'cd ../.. && tsc -p tsconfig.build.json' } }),
      },
      {},
      ['alone'],
    ],
    [
      'is that of the root where the workspace has none',
      manifestOf('packages/alone', { scripts: { x: 'tsc -p tsconfig.build.json' } }),
      {},
      ['alone'],
    ],
    [
      'counts for builds where only a build names it',
      manifestOf('', { scripts: { test: 'jest', build: 'tsc -b tsconfig.build.json' } }),
      {},
      [],
    ],
    [
      'counts for tests where a build is an entry of a workspace',
      {
        ...manifestOf('', { scripts: { test: 'jest', build: 'tsc -b tsconfig.build.json' } }),
        ...manifestOf('packages/alone', { main: 'dist/index.js', dependencies: { deep: '^1.0.0' } }),
      },
      {},
      RULE,
    ],
    [
      'counts for tests that build first',
      { ...manifestOf('', { scripts: { test: 'jest', pretest: 'yarn build', build: 'tsc -b tsconfig.build.json' } }) },
      {},
      RULE,
    ],
    [
      'counts for tests that depend on a build',
      {
        ...manifestOf('', { scripts: { test: 'jest', build: 'tsc -b tsconfig.build.json' } }),
        'turbo.json': '{ "tasks": { "test": { "dependsOn": ["^build"] } } }',
      },
      {},
      RULE,
    ],
  ])('tsconfig.build.json %s', async (_, before, more, affected) => {
    await check({ 'tsconfig.build.json': own({}), ...before }, { 'tsconfig.build.json': own({ target: 'es2022' }), ...more }, affected);
  });

  describe('with references', () => {
    const references = (...paths: readonly string[]): string => json({ files: [], references: paths.map((path) => ({ path })) });
    const solution = (...paths: readonly string[]): Files => ({ 'tsconfig.json': references(...paths) });
    const projects = {
      'packages/alone/tsconfig.json': '{}',
      'packages/ring-a/tsconfig.json': references('../tool'),
      'packages/tool/tsconfig.json': '{}',
    };
    test.each<Case>([
      ['affects the owner of one that is new', { ...projects, ...solution() }, solution('./packages/alone'), ['alone']],
      ['affects the owner of one that goes', { ...projects, ...solution('packages/alone/tsconfig.json') }, solution(), ['alone']],
      [
        'affects nobody by their order',
        { ...projects, ...solution('packages/alone', 'packages/tool') },
        solution('packages/tool', 'packages/alone'),
        [],
      ],
      [
        'affects what was built through a reference that goes',
        { ...projects, ...solution('packages/ring-a') },
        solution(),
        ['monorepo', 'ring-a', 'ring-b', 'tool'],
      ],
      [
        'affects only what nothing else builds',
        { ...projects, ...solution('packages/ring-a', 'packages/tool') },
        solution('packages/tool'),
        ['ring-a', 'ring-b'],
      ],
      ['affects the root by a project of its own', { ...projects, ...solution() }, solution('./scripts'), ['monorepo']],
      ['affects everybody by one outside of the project', { ...projects, ...solution() }, solution('../other'), RULE],
      [
        'affects everybody by what is no path',
        { ...projects, ...solution() },
        { 'tsconfig.json': json({ files: [], references: ['x'] }) },
        RULE,
      ],
      [
        'affects everybody by files that come with them',
        { ...projects, ...solution() },
        { 'tsconfig.json': json({ references: [{ path: 'packages/alone' }] }) },
        RULE,
      ],
    ])('%s', (_, before, files, affected) => check(before, files, affected));

    test('names the key as the reason', async () => {
      const result = await scene.resultOf({ before: { ...projects, ...solution() }, files: solution('packages/alone') });
      expect(result.workspaces.map(({ reasons }) => reasons)).toEqual([[{ kind: 'setting', file: 'tsconfig.json', key: 'references' }]]);
    });
  });
});

describe('a Makefile', () => {
  const makefile = (over: { pin?: string; build?: string; docs?: string; top?: string } = {}): Files => ({
    Makefile: [
      over.top ?? '.PHONY: build docs test',
      `PIN = ${over.pin ?? '1'}`,
      'TOOL := node tool.js',
      'build: prepare',
      `\t$(TOOL) ${over.build ?? 'build'}`,
      'prepare:',
      '\t@echo',
      'docs:',
      `\t$(TOOL) ${over.docs ?? 'docs'} $(PIN)`,
      'test: build',
      '\tyarn jest',
      '',
    ].join('\n'),
  });
  const scripts = manifestOf('', { scripts: { test: 'make test', lint: 'make docs' } });
  test.each<Case>([
    ['affects the root by a target that no test leads to', { ...makefile(), ...scripts }, makefile({ docs: 'other' }), ['monorepo']],
    ['affects the root by a variable of such a target', { ...makefile(), ...scripts }, makefile({ pin: '2' }), ['monorepo']],
    ['affects nobody by its comments', { ...makefile(), ...scripts }, { Makefile: `# Words\n${makefile()['Makefile'] as string}` }, []],
    ['affects everybody by a target that a test leads to', { ...makefile(), ...scripts }, makefile({ build: 'other' }), UNCLAIMED],
    [
      'affects everybody by a target that a workflow names',
      { ...makefile(), ...scripts, '.github/workflows/ci.yml': '- run: make -j docs' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a target that a script names',
      { ...makefile(), ...scripts, 'scripts/all.sh': 'cd . && make docs\n' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a target that a workspace names',
      { ...makefile(), ...scripts, 'packages/lib/a.js': "exec('make docs')" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where a target is put together',
      { ...makefile(), ...scripts, 'scripts/all.sh': 'make "$1"\n' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where arguments stand elsewhere',
      { ...makefile(), ...scripts, 'packages/lib/a.js': "spawn('make', args)" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where its text is read',
      { ...makefile(), ...scripts, 'scripts/pin.js': "readFileSync('Makefile')" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where a variable is one of the environment',
      { ...makefile(), ...scripts, 'scripts/pin.js': 'process.env.PIN' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a file that it includes',
      { ...makefile({ top: 'include more.mk' }), ...scripts },
      makefile({ pin: '2', top: 'include more.mk' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where everything is exported',
      { ...makefile({ top: 'export' }), ...scripts },
      makefile({ pin: '2', top: 'export' }),
      UNCLAIMED,
    ],
    ['affects everybody where it is new', scripts, makefile(), UNCLAIMED],
    ['affects everybody where it goes', { ...makefile(), ...scripts }, { Makefile: null }, UNCLAIMED],
  ])('%s', (_, before, files, affected) => check(before, files, affected));
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
