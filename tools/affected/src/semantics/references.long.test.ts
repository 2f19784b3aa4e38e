import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const EVERYBODY = 'all: FILE_UNCLAIMED';
const TOOL: Files = { 'packages/tool/index.js': 'changed' };

describe('what no manifest declares is followed without any set-up', () => {
  test.each<readonly [what: string, before: Files]>([
    ['an import by name', { 'packages/alone/a.test.js': "import 'tool';\n" }],
    ['an import by path', { 'packages/alone/a.test.js': "import '../tool/index.js';\n" }],
    ['a link', { 'packages/alone/data': { symlink: '../tool' } }],
    ['a script', manifestOf('packages/alone', { scripts: { test: 'yarn workspace tool run x' } })],
    ['a file of the root', { 'packages/alone/a.test.js': "import '../../fakes/tool.js';\n", 'fakes/tool.js': "export * from 'tool';\n" }],
  ])('%s', async (_, before) => {
    const answer = await scene.ask({ before, files: TOOL });
    expect(answer).toEqual(expect.arrayContaining(['alone', 'tool']));
  });

  test('a name that every object has', async () => {
    const before = { ...manifestOf('packages/constructor', { name: 'constructor' }), 'packages/constructor/a.js': "import 'tool';\n" };
    expect(await scene.ask({ before, files: TOOL, lock: 'by Yarn' })).toEqual(expect.arrayContaining(['constructor', 'tool']));
  });

  test('and shown by why', async () => {
    const before = {
      ...manifestOf('packages/above', { name: 'above', dependencies: { alone: 'workspace:^' } }),
      'packages/alone/a.js': "import 'tool';\n",
    };
    const repo = await scene.changed({ before, files: TOOL, lock: 'by Yarn' });
    const run = async (...args: readonly string[]): Promise<string> =>
      (await runCli('affected', args, { cwd: repo.path, env: { COLUMNS: '200' } })).stdout;
    const why = await run('why', 'above', '--base', 'HEAD~1');
    expect(why).toContain('alone reads tool: packages/alone/a.js:1, which no manifest declares');
    expect(why).not.toContain('before this change');
  });

  test('the reason names the place', async () => {
    const before = { 'packages/alone/a.test.js': "\nimport '../tool/data.json';\n", 'packages/tool/data.json': '{}' };
    const { workspaces } = await scene.resultOf({ before, files: { 'packages/tool/data.json': '[]' } });
    expect(workspaces.find(({ name }) => name === 'alone')?.reasons).toEqual([
      { kind: 'read', file: 'packages/tool/data.json', by: 'packages/alone/a.test.js:2' },
    ]);
  });

  test('a reference that the change itself takes away counts once more', async () => {
    const before = { 'packages/alone/a.test.js': "import 'tool';\n" };
    expect(await scene.ask({ before, files: { ...TOOL, 'packages/alone/a.test.js': null } })).toEqual(
      expect.arrayContaining(['alone', 'tool']),
    );
  });
});

// What looks like lint alone may be part of a test: by a script, a runner, or a task of turbo.json that it depends on.
describe('what settings of linters name counts for tests, too', () => {
  const withSetting = (over: object): Files => manifestOf('packages/alone', { prettier: 'tool', ...over });

  test.each<readonly [what: string, before: Files]>([
    ['where a test script lints', withSetting({ scripts: { test: 'prettier --check . && jest' } })],
    ['where a test runner lints', withSetting({ jest: { runner: 'jest-runner-eslint' } })],
    [
      'where turbo.json lets tests depend on linting',
      {
        ...withSetting({ scripts: { test: 'jest', lint: 'prettier --check .' } }),
        'turbo.json': '{ "tasks": { "lint": {}, "test": { "dependsOn": ["lint"] } } }',
      },
    ],
  ])('%s', async (_, before) => {
    expect(await scene.ask({ before, files: TOOL })).toEqual(expect.arrayContaining(['alone', 'tool']));
  });
});

describe('the settings of Lerna', () => {
  const lerna = (settings: object): Files => ({ 'lerna.json': JSON.stringify({ npmClient: 'yarn', ...settings }) });
  const before = lerna({ version: '1.0.0' });
  const release = lerna({ version: '1.0.1' });
  const READER: Files = { 'packages/alone/src/a.js': "require('../../../lerna.json').version;\n" };

  test.each<readonly [what: string, before: Files, files: Files, answer: string | readonly string[]]>([
    ['the root alone by a release', before, release, ['monorepo']],
    [
      'the bumped packages by a release',
      before,
      { ...release, ...manifestOf('packages/alone', { version: '1.0.1' }) },
      ['alone', 'monorepo'],
    ],
    ['who reads the version', { ...before, ...READER }, release, ['alone', 'monorepo']],
    [
      'everybody where a script of the root reads it from where it starts',
      { ...before, ...manifestOf('', { scripts: { test: 'jest', build: 'node x.js' } }), 'x.js': "readFileSync('lerna.json');\n" },
      release,
      EVERYBODY,
    ],
    ['everybody by another key', before, lerna({ version: '1.0.1', useNx: true }), EVERYBODY],
    ['everybody where they come', {}, before, EVERYBODY],
    ['everybody where they are broken', before, { 'lerna.json': '{ "version": "1.0.1"' }, EVERYBODY],
    ['everybody where settings of a runner read them', { ...before, 'jest.config.js': "require('./lerna.json');\n" }, release, EVERYBODY],
  ])('affect %s', async (_, known, files, answer) => {
    expect(await scene.ask({ before: known, files })).toEqual(answer);
  });
});

describe('a file outside of all workspaces', () => {
  const READER: Files = { 'packages/alone/a.test.js': "import '../../data/x.json';\n", 'data/x.json': '{}' };
  const change: Files = { 'data/x.json': '[]' };

  test('affects those that refer to it', async () => {
    expect(await scene.ask({ before: READER, files: change })).toEqual(['alone', 'monorepo']);
  });

  test.each<readonly [what: string, before: Files, answer: string | readonly string[]]>([
    ['nothing refers to it', { 'data/x.json': '{}' }, EVERYBODY],
    ['a setting that tools find refers to it', { ...READER, 'jest.config.js': "require('./data/x.json');\n" }, EVERYBODY],
    ['a file that nothing refers to does', { ...READER, 'bin/y.js': "require('../data/x.json');\n" }, EVERYBODY],
    [
      'another workspace may read anything around it',
      { ...READER, 'packages/tool/a.js': "readFileSync(join(__dirname, '../..', name));\n" },
      ['alone', 'monorepo', 'tool'],
    ],
  ])('affects everybody else, too, where %s', async (_, before, answer) => {
    expect(await scene.ask({ before, files: change })).toEqual(answer);
  });

  test('affects everybody as settings of a project in a folder of tests', async () => {
    const projects = { 'jest.config.js': "module.exports = { projects: ['<rootDir>/test/unit.config.js'] };\n" };
    const before = { ...projects, 'test/unit.config.js': '1;' };
    expect(await scene.ask({ before, files: { 'test/unit.config.js': '2;' } })).toEqual(EVERYBODY);
  });

  test.each<readonly [what: string, before: Files, because: string]>([
    ['nothing refers to it', { 'data/x.json': '{}' }, 'nothing that can be read refers to it'],
    ['a setting does', { 'data/x.json': '{}', 'jest.config.js': "require('./data/x.json');\n" }, 'jest.config.js:1 refers to it'],
    [
      'one may',
      {
        ...READER,
        'jest.config.js': "require('./tools/all');\n",
        'tools/all.js': "readFileSync(join(__dirname, '..', name));\n",
      },
      'tools/all.js may read it, and jest.config.js:1 refers to tools/all.js',
    ],
  ])('says why it affects everybody: %s', async (_, before, because) => {
    const { all } = await scene.resultOf({ before, files: { ...change, 'data/y.json': '1' } });
    expect(all?.reason).toBe(`data/x.json (and 1 more) belongs to no workspace and matches no rule, and ${because}.`);
  });

  test('affects everybody if it is a mock, which jest finds by itself', async () => {
    expect(await scene.ask({ before: { '__mocks__/axios.js': '1;' }, files: { '__mocks__/axios.js': '2;' } })).toBe(EVERYBODY);
  });

  test('affects everybody for a task of an unknown kind', async () => {
    expect(await scene.ask({ before: READER, files: change, args: ['--task', 'deploy'] })).toBe(EVERYBODY);
    expect(await scene.ask({ before: READER, files: change, args: ['--task', 'test:unit'] })).toEqual(['alone', 'monorepo']);
  });

  test.each(['node data/x.json', 'node "$here/data/x.json"'])(
    'affects everybody if it is only a guess that the root is meant: %s',
    async (line) => {
      const before = { 'data/x.json': '1', 'packages/alone/data/x.json': '1', 'packages/alone/run.sh': `${line}\n` };
      expect(await scene.ask({ before, files: change })).toBe(EVERYBODY);
    },
  );

  test('affects everybody if it is one of many of which one is not known', async () => {
    expect(await scene.ask({ before: { ...READER, 'data/y.json': '' }, files: { ...change, 'data/y.json': '1' } })).toBe(EVERYBODY);
  });

  test('counts as it was for those that do not refer to it any more, if it was deleted', async () => {
    expect(await scene.ask({ before: READER, files: { 'data/x.json': null } })).toEqual(['alone', 'monorepo']);
  });
});

describe('projects that a tsconfig of the root refers to', () => {
  const json = (...projects: readonly string[]): string => JSON.stringify({ files: [], references: projects.map((path) => ({ path })) });
  const before: Files = {
    'tsconfig.json': json('packages/lib'),
    'packages/alone/tsconfig.json': '{ "extends": "../../tsconfig.json" }',
    ...manifestOf('', { scripts: { build: 'tsc -b tsconfig.json' } }),
  };
  const LIB = [...LIB_AND_USERS, 'monorepo'].sort();

  test.each<readonly [what: string, file: string, after: string, answer: string | readonly string[]]>([
    ['one comes', 'tsconfig.json', json('packages/lib', './packages/alone/tsconfig.json'), ['alone', 'monorepo']],
    ['one goes', 'tsconfig.json', json(), LIB],
    ['their order', 'tsconfig.json', json('packages/lib').replace('[{', '[ {'), ['monorepo']],
    ['anything else', 'tsconfig.json', json('packages/lib').replace('[]', '["a.ts"]'), 'all: RULE'],
    ['one of the root', 'tsconfig.json', json('packages/lib', './tools'), 'all: RULE'],
    ['what is no list', 'tsconfig.json', '{ "files": [], "references": {} }', 'all: RULE'],
    ['what is broken', 'tsconfig.json', `${json()}}`, 'all: RULE'],
  ])('%s', async (_, file, after, answer) => {
    expect(await scene.ask({ before, files: { [file]: after } })).toEqual(answer);
  });

  test.each(['tsconfig.json', 'turbo.json'])('%s in which only comments changed selects the root alone, and says no key', async (file) => {
    const text = '{ "tasks": { "test": {} } }';
    const result = await scene.resultOf({ before: { [file]: text }, files: { [file]: `// why\n${text}` } });
    expect(result.workspaces).toEqual([expect.objectContaining({ name: 'monorepo', reasons: [{ kind: 'file', file, others: 0 }] })]);
  });

  test.each<readonly [what: string, more: Files, answer: string | readonly string[]]>([
    ['who reads it as data', { 'packages/tool/a.js': "require('../../tsconfig.json');\n" }, ['alone', 'monorepo', 'tool']],
    ['who may read it', { 'packages/tool/a.js': "readFileSync(join(__dirname, '../..', name));\n" }, ['alone', 'monorepo', 'tool']],
    ['everybody, where a setting of the root reads it', { 'jest.config.js': "require('./tsconfig.json');\n" }, 'all: RULE'],
    [
      'everybody by a rule',
      { 'tributary.json': '{ "affected": { "rules": [{ "files": "tsconfig.json", "affects": "all" }] } }' },
      'all: RULE',
    ],
  ])('and %s', async (_, more, answer) => {
    const files = { 'tsconfig.json': json('packages/lib', 'packages/alone') };
    expect(await scene.ask({ before: { ...before, ...more }, files })).toEqual(answer);
  });

  test('but everybody for a linter', async () => {
    const files = { 'tsconfig.json': json('packages/lib', 'packages/alone') };
    expect(await scene.ask({ before, files, args: ['--task', 'lint'] })).toBe('all: RULE');
  });
});
