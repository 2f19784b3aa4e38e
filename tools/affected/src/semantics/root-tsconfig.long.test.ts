import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { type ChangeCase, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

const RULE = 'all: RULE';

describe('a tsconfig of the root', () => {
  const own = (over: object): string => JSON.stringify({ compilerOptions: { strict: true, ...over } });
  const extending = (folder: string, config = '../../tsconfig.base.json'): Files => ({
    [`${folder}/tsconfig.json`]: JSON.stringify({ extends: config }),
  });
  const base = { 'tsconfig.base.json': own({}) };
  const change = { 'tsconfig.base.json': own({ target: 'es2022' }) };
  test.each<ChangeCase>([
    ['that nobody names is one of an editor', base, change, []],
    ['affects nobody by its comments', base, { 'tsconfig.base.json': `// Words\n${own({})}` }, []],
    ['affects nobody by its schema', base, { 'tsconfig.base.json': JSON.stringify({ $schema: 'a', ...JSON.parse(own({})) }) }, []],
    ['affects the workspaces that extend it', { ...base, ...extending('packages/ring-a') }, change, ['ring-a', 'ring-b']],
    ['may be named without .json', { ...base, ...extending('packages/ring-a', '../../tsconfig.base') }, change, ['ring-a', 'ring-b']],
    [
      'may be one of several',
      { ...base, 'packages/alone/tsconfig.json': JSON.stringify({ extends: ['x', '../../tsconfig.base.json'] }) },
      change,
      ['alone'],
    ],
    [
      'affects who extends another one of the root that extends it',
      {
        ...base,
        'tsconfig.web.json': JSON.stringify({ extends: './tsconfig.base.json' }),
        ...extending('packages/alone', '../../tsconfig.web.json'),
      },
      change,
      ['alone'],
    ],
    [
      'may extend itself in a circle',
      {
        'tsconfig.base.json': JSON.stringify({ extends: './tsconfig.web.json' }),
        'tsconfig.web.json': JSON.stringify({ extends: './tsconfig.base.json' }),
      },
      change,
      [],
    ],
    [
      'affects everybody where tsconfig.json extends it',
      { ...base, 'tsconfig.json': JSON.stringify({ extends: './tsconfig.base.json' }) },
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
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

  test('names what changed as the reason', async () => {
    const { workspaces } = await scene.resultOf({ before: { ...base, ...extending('packages/ring-a') }, files: change });
    expect(workspaces[0]?.reasons).toEqual([{ kind: 'setting', file: 'tsconfig.base.json', key: 'compilerOptions' }]);
  });

  test('is known by the base, too', async () => {
    const files = { ...change, ...extending('packages/alone', '../../tsconfig.json') };
    await scene.answers({ before: { ...base, ...extending('packages/alone') }, files }, ['alone']);
  });

  test.each<ChangeCase>([
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
    const files = { 'tsconfig.build.json': own({ target: 'es2022' }), ...more };
    await scene.answers({ before: { 'tsconfig.build.json': own({}), ...before }, files }, affected);
  });

  describe('with references', () => {
    const references = (...paths: readonly string[]): string => JSON.stringify({ files: [], references: paths.map((path) => ({ path })) });
    const solution = (...paths: readonly string[]): Files => ({ 'tsconfig.json': references(...paths) });
    const projects = {
      'packages/alone/tsconfig.json': '{}',
      'packages/ring-a/tsconfig.json': references('../tool'),
      'packages/tool/tsconfig.json': '{}',
    };
    test.each<ChangeCase>([
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
        { 'tsconfig.json': JSON.stringify({ files: [], references: ['x'] }) },
        RULE,
      ],
      [
        'affects everybody by files that come with them',
        { ...projects, ...solution() },
        { 'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/alone' }] }) },
        RULE,
      ],
    ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

    test('names the key as the reason', async () => {
      const result = await scene.resultOf({ before: { ...projects, ...solution() }, files: solution('packages/alone') });
      expect(result.workspaces.map(({ reasons }) => reasons)).toEqual([[{ kind: 'setting', file: 'tsconfig.json', key: 'references' }]]);
    });
  });
});
