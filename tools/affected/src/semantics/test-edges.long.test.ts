// What only the tests of a workspace import, without declaring it, does not reach its dependents. The answers were written down first.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

/** Files of `by-dev`, on which only `dev-user` depends. */
const user = (files: Files): Files => Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/by-dev/${path}`, text]));
const exported = (path: string): Files =>
  manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*' }, exports: { './testing': path } });

const SOURCE: Files = { 'packages/alone/src/index.js': '2;' };
const README: Files = { 'packages/alone/README.md': 'b' };
const HELPER: Files = user({ 'test/helper.js': "import 'alone';" });

type Case = readonly [what: string, before: Files, files?: Files];

describe('a change ends at the workspace that imports it', () => {
  test.each<Case>([
    ['in a test', user({ 'src/a.test.js': "import 'alone';" })],
    ['in a helper of tests', { ...HELPER, ...user({ 'src/a.test.js': "import '../test/helper.js';" }) }],
    ['in settings of a runner', user({ 'jest.config.js': "module.exports = { preset: 'alone' };" })],
    [
      'in tests, of which another one uses another',
      user({ 'test/a.js': "import 'alone';", 'test/b.js': '1;', 'src/a.js': "import '../test/b.js';" }),
    ],
  ])('%s', async (_, before, files = SOURCE) => {
    await scene.answers({ before, files }, ['alone', 'by-dev']);
  });
});

describe('a change passes on to its dependents', () => {
  test.each<Case>([
    ['from a source', user({ 'src/a.js': "import 'alone';" })],
    ['from a source, behind a test in the order of names', user({ '__tests__/a.js': "import 'alone';", 'src/a.js': "import 'alone';" })],
    ['from a source, before a test', user({ 'a.js': "import 'alone';", 'test/a.js': "import 'alone';" })],
    ['from a helper that a source uses', { ...HELPER, ...user({ 'src/a.js': "import '../test/helper.js';" }) }],
    ['from a helper that is an entry', { ...HELPER, ...exported('./test/helper.js') }],
    [
      'from a helper that is built into an entry',
      { ...user({ 'test/helper.ts': "import 'alone';" }), ...exported('./dist/test/helper.js') },
    ],
    ['from a helper that others use', { ...HELPER, 'packages/dev-user/src/a.js': "import 'by-dev/test/helper.js';" }],
    [
      'from helpers that are built into entries',
      {
        ...user({ 'src/__tests__/helper.ts': "import 'alone';" }),
        ...manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*' }, exports: { './u/*': './dist/__tests__/*.js' } }),
      },
    ],
    [
      'from a helper that others use where it is built',
      { ...HELPER, 'packages/dev-user/src/a.js': "import 'by-dev/dist/test/helper.js';" },
    ],
    ['from a helper that others use by path', { ...HELPER, 'packages/dev-user/src/a.js': "import '../../by-dev/test/helper.js';" }],
    [
      'from settings that a source names, too',
      user({ 'babel.config.js': "module.exports = { presets: ['alone'] };", 'test/a.js': "import 'alone';" }),
    ],
    ['from a list of plugins', user({ 'plugins.json': '["alone"]', 'test/a.js': "import 'alone';" })],
    ['from a literal', user({ 'src/a.js': "load(['alone/plugin']);", 'test/a.js': "import 'alone';" })],
    [
      'from a source with an alias',
      {
        ...manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*' }, imports: { '#it': 'alone' } }),
        ...user({ 'test/a.js': "import 'alone';" }),
      },
    ],
    ['from types of a source', user({ 'tsconfig.json': '{ "compilerOptions": { "types": ["alone"] } }', 'test/a.js': "import 'alone';" })],
    [
      'from stories that another one shows',
      {
        ...user({ 'src/a.stories.js': "import 'alone';" }),
        'packages/dev-user/.storybook/main.js': "module.exports = { stories: ['../../*/src/**/*.stories.@(js|ts)'] };",
      },
    ],
    ['by a path in a source', user({ 'test/a.js': "import 'alone';", 'src/a.js': "import '../../alone/src/index.js';" })],
    [
      'by a script',
      {
        ...manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*' }, scripts: { build: 'yarn workspace alone build' } }),
        ...user({ 'test/a.js': "import 'alone';" }),
      },
    ],
  ])('%s', async (_, before, files = SOURCE) => {
    await scene.answers({ before, files }, ['alone', 'by-dev', 'dev-user']);
  });

  test('for a build, of which it is unknown what it makes of tests', async () => {
    const before = user({ 'src/a.test.js': "import 'alone';" });
    await scene.answers({ before, files: SOURCE, args: ['--task', 'build'] }, ['alone', 'by-dev', 'dev-user']);
  });

  test('where the reach of tests is switched off', async () => {
    const before = {
      ...user({ 'src/a.test.js': "import 'alone';" }),
      'tributary.json': '{ "affected": { "reach": { "tests": "dependents" } } }',
    };
    await scene.answers({ before, files: SOURCE }, ['alone', 'by-dev', 'dev-user']);
  });
});

describe('an undeclared import carries what a declared one carries', () => {
  test('so no document', async () => {
    await scene.answers({ before: { ...README, ...user({ 'src/a.js': "import 'alone';" }) }, files: { 'packages/alone/README.md': 'c' } }, [
      'alone',
    ]);
  });

  test('but a document that is named', async () => {
    const before = { ...README, ...user({ 'src/a.js': "import 'alone';\nimport 'alone/README.md';" }) };
    await scene.answers({ before, files: { 'packages/alone/README.md': 'c' } }, ['alone', 'by-dev', 'dev-user']);
  });
});

test('a document that a test and a source read reaches the dependents of both', async () => {
  const read = "readFile(join(__dirname, '../../lib/README.md'));";
  const before = { 'packages/lib/README.md': 'a', ...user({ '__tests__/a.js': read, 'src/a.js': read }) };
  await scene.answers({ before, files: { 'packages/lib/README.md': 'b' } }, ['by-dev', 'dev-user', 'lib']);
});

test('a document that two tests read, of which one is a helper of others, reaches these', async () => {
  const read = "readFile(join(__dirname, '../../lib/README.md'));";
  const before = {
    'packages/lib/README.md': 'a',
    ...user({ 'test/a.js': read, 'test/z.js': read }),
    'packages/dev-user/src/a.js': "import 'by-dev/test/z.js';",
  };
  await scene.answers({ before, files: { 'packages/lib/README.md': 'b' } }, ['by-dev', 'dev-user', 'lib']);
});

describe('what a test of a workspace may read', () => {
  const before = {
    ...user({ '__tests__/a.js': "readFile(join(__dirname, '../../..', name));", 'test/helper.js': '1;' }),
    'packages/lib/README.md': 'a',
  };
  const named = (text: string): Files => ({ ...before, 'packages/alone/src/index.js': text });
  const files = { 'packages/lib/README.md': 'b' };

  test.each<[what: string, before: Files]>([
    ['names a source of it', named("fork(join(__dirname, '../../by-dev/src/cli.js'));")],
    ['runs a source of it', { ...before, ...manifestOf('packages/alone', { scripts: { generate: 'node ../by-dev/src/cli.js' } }) }],
  ])('does not reach who %s', async (_, one) => {
    await scene.answers({ before: { ...one, ...user({ 'src/cli.js': '1;' }) }, files }, ['by-dev', 'lib']);
  });

  test.each<[what: string, before: Files, others?: readonly string[]]>([
    ['a test of it, too', named("fork('../../by-dev/src/cli.js');\nimport '../../by-dev/__tests__/a.js';"), ['dev-user']],
    [
      'a folder of tests of it',
      { ...before, ...manifestOf('packages/alone', { scripts: { test: 'jest ../by-dev/__tests__' } }) },
      ['dev-user'],
    ],
    ['a script of it', { ...before, ...manifestOf('packages/alone', { scripts: { test: 'yarn workspace by-dev test' } }) }],
  ])('reaches who uses %s', async (_, one, others = []) => {
    await scene.answers({ before: { ...one, ...user({ 'src/cli.js': '1;' }) }, files }, ['alone', 'by-dev', ...others, 'lib']);
  });
});

describe('who runs a source of a workspace is reached', () => {
  const running = manifestOf('packages/alone', { scripts: { pretest: 'node ../by-dev/src/cli.js' } });
  test.each<[what: string, before: Files, files: Files]>([
    [
      'by what the source may read',
      user({ 'src/cli.js': "const root = join(__dirname, '../../..');\nread(join(root, folder, 'README.md'));" }),
      { 'packages/lib/README.md': 'b' },
    ],
    [
      'by tests that the source runs',
      user({ 'src/cli.js': "const root = join(__dirname, '..');\nexecSync('npx mocha', { cwd: root });", 'test/a.js': '1;' }),
      user({ 'test/a.js': '2;' }),
    ],
  ])('%s', async (_, before, files) => {
    const answer = await scene.ask({ before: { 'packages/lib/README.md': 'a', ...running, ...before }, files });
    expect(answer).toEqual(expect.arrayContaining(['alone', 'by-dev']));
  });
});

describe('what turborepo hashes for tests', () => {
  const inputs = {
    ...user({ 'turbo.json': '{ "extends": ["//"], "tasks": { "test": { "inputs": ["$TURBO_DEFAULT$", "../alone/**"] } } }' }),
  };
  test.each<Case>([
    ['alone', inputs],
    ['beside an import of tests', { ...inputs, ...user({ 'test/a.js': "import 'alone';" }) }],
  ])('%s ends there', async (_, before) => {
    await scene.answers({ before, files: SOURCE }, ['alone', 'by-dev']);
  });

  test('beside an import of a source passes on', async () => {
    await scene.answers({ before: { ...inputs, ...user({ 'a.js': "import 'alone';" }) }, files: SOURCE }, ['alone', 'by-dev', 'dev-user']);
  });
});

test('a rule about one file of a workspace hides no import of it', async () => {
  const before = {
    ...user({ 'test/a.js': "import 'alone';\nread(join(__dirname, '../../alone/src/schema.js'));" }),
    'packages/alone/src/schema.js': '1;',
    'tributary.json': '{ "affected": { "rules": [{ "files": ["packages/alone/src/schema.js"], "affects": ["by-dev"] }] } }',
  };
  await scene.answers({ before, files: SOURCE }, ['alone', 'by-dev']);
});

test('what a test reads reaches who runs that test', async () => {
  const before = {
    ...user({ 'test/a.js': "readFile(join(__dirname, '../../alone/test/data.json'));" }),
    'packages/alone/test/data.json': '1',
    ...manifestOf('packages/dev-user', { dependencies: {}, scripts: { test: 'jest --rootDir ../by-dev' } }),
  };
  await scene.answers({ before, files: { 'packages/alone/test/data.json': '2' } }, ['alone', 'by-dev', 'dev-user']);
});

test('a name with signs is a name', async () => {
  const before = {
    ...manifestOf('packages/alone', { name: 'a+b++', dependencies: {} }),
    ...user({ 'test/a.js': "import 'a+b++';", 'plugins.json': '["a+b++"]' }),
  };
  const answer = await scene.ask({ before, files: SOURCE, lock: 'by Yarn' });
  expect(answer).toEqual(expect.arrayContaining(['dev-user']));
});

test('why says that a dependency is affected in nothing that its dependents use', async () => {
  const repo = await scene.changed({ before: user({ 'src/a.test.js': "import 'alone';" }), files: SOURCE });
  const { stdout } = await runCli('affected', ['why', 'dev-user', '--base', 'HEAD~1'], { cwd: repo.path, env: { COLUMNS: '200' } });
  expect(stdout).toBe(
    'dev-user is not affected: none of its files changed. ' +
      'Of what it depends on, by-dev is affected, but in nothing that dependents are known to use.\n',
  );
});
