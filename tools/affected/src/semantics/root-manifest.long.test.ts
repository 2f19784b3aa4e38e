import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf, published, ROOT_TOOLS, USERS_OF_DEEP } from './monorepo.fixture.js';
import { type Answer, ask, MonorepoScene } from './scene.fixture.js';

// Continues root-manifest-basics.long.test.ts. Here Yarn writes each lockfile anew.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  for (const name of ['jest', 'prettier', 'deep']) scene.registry.add(published(name, '1.0.1'));
});

describe('a dependency of the root', () => {
  test('that only formats affects the root when it moves on', async () => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, prettier: '1.0.1' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test.each<[where: string, before: Files]>([
    ['a test', { 'packages/alone/a.test.js': "require('prettier').format('');\n" }],
    ['a script of tests', manifestOf('packages/alone', { scripts: { test: 'prettier --check . && jest' } })],
  ])('that only formats affects who names it in %s', async (_, before) => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, prettier: '1.0.1' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['alone', 'monorepo']);
  });

  test.each<[where: string, before: Files]>([
    ['settings', { 'packages/alone/prettier.config.js': "export { default } from 'prettier';\n" }],
    ['a script that no test runs', manifestOf('packages/alone', { scripts: { test: 'jest', lint: 'prettier --check .' } })],
  ])('that only formats does not affect who names it in %s', async (_, before) => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, prettier: '1.0.1' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test.each<[what: string, before: Files, answer: Answer]>([
    ['other keys', { 'babel.config.js': "const pkg = require('./package.json');\npkg.engines.node;\n" }, ['monorepo']],
    ['its key', { 'babel.config.js': "const pkg = require('./package.json');\npkg.devDependencies;\n" }, 'all: ROOT_MANIFEST_CHANGED'],
    ['the whole manifest', { 'babel.config.js': "const pkg = require('./package.json');\nuse(pkg);\n" }, 'all: ROOT_MANIFEST_CHANGED'],
    [
      'the manifest through another file',
      { 'babel.config.js': "const its = require('./its.js');\nits.engines;\n", 'its.js': "module.exports = require('./package.json');\n" },
      'all: ROOT_MANIFEST_CHANGED',
    ],
    [
      'the manifest, beside others that read a part',
      {
        'babel.config.js': "const pkg = require('./package.json');\npkg.engines.node;\n",
        'jest.config.js': "import pkg from './package.json';\nuse(pkg);\n",
      },
      'all: ROOT_MANIFEST_CHANGED',
    ],
  ])('that only formats is judged by what settings of the root read: %s', async (_, before, answer) => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, prettier: '1.0.1' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(answer);
  });

  test('is told the same where it moves on in the lockfile alone', async () => {
    const repo = scene.copy();
    await scene.yarn(repo, ['up', '--recursive', 'prettier']);
    repo.commit('Prettier');
    await scene.yarn(repo, ['up', '--recursive', 'jest']);
    repo.commit('Jest');
    expect(await ask(repo, ['--base', 'HEAD~2', '--head', 'HEAD~1'])).toEqual(['monorepo']);
    expect(await ask(repo, ['--base', 'HEAD~1'])).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });

  test('that comes, or goes, affects everybody unless it is a tool that no test loads', async () => {
    const { jest: _, ...rest } = ROOT_TOOLS;
    const { prettier: __, ...others } = ROOT_TOOLS;
    const come = manifestOf('', { devDependencies: { ...ROOT_TOOLS, typescript: '^1.0.0' } });
    expect(await scene.ask({ files: come, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
    expect(await scene.ask({ files: manifestOf('', { devDependencies: rest }), lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
    expect(await scene.ask({ files: manifestOf('', { devDependencies: others }), lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('affects the root alone if tributary.json says so', async () => {
    const before = { 'tributary.json': '{"affected": {"rootOnlyDependencies": ["je*"]}}\n' };
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, jest: '1.0.1' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('on a workspace affects the root when it comes', async () => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, alone: 'workspace:^' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('whose range changes and not what it resolves to affects the root', async () => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, jest: '~1.0.0' } });
    const before = manifestOf('', { devDependencies: { ...ROOT_TOOLS, jest: '1.0.0' } });
    expect(await scene.ask({ before, files: { ...files, 'yarn.lock': '' }, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });
});

describe('resolutions', () => {
  test('that go affect the same', async () => {
    const before = manifestOf('', { resolutions: { deep: '2.0.0' } });
    expect(await scene.ask({ before, files: manifestOf('', {}), lock: 'by Yarn' })).toEqual(USERS_OF_DEEP);
  });

  test('for one parent affect who gets it through this parent', async () => {
    const files = manifestOf('', { resolutions: { 'wrapper/left': 'npm:left@1.0.0', 'left/deep': '2.0.0' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['by-dependency', 'by-optional']);
  });

  test('that lead to a workspace make whoever gets the package its dependent', async () => {
    const before = manifestOf('', { resolutions: { 'left/deep': 'workspace:packages/tool' } });
    const change = { before, files: { 'packages/tool/a.js': '' }, lock: 'by Yarn' } as const;
    expect(await scene.ask(change)).toEqual(['by-dependency', 'by-optional', 'monorepo', 'tool']);
  });

  test('for a package that nobody has affect nobody', async () => {
    expect(await scene.ask({ files: manifestOf('', { resolutions: { nothing: '1.0.0' } }), lock: 'by Yarn' })).toEqual([]);
  });
});
