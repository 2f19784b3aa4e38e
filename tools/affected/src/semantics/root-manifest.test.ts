import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import { manifestOf, published, USERS_OF_DEEP } from './monorepo.fixture.js';
import { type Answer, ask, readText, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
  for (const name of ['jest', 'prettier', 'deep']) scene.registry.add(published(name, '1.0.1'));
});

const TOOLS = { jest: '^1.0.0', prettier: '^1.0.0', tool: 'workspace:^' };

describe('a key of the root package.json', () => {
  test.each<[sentence: string, over: Manifest, affected: Answer]>([
    ['a script affects nobody', { scripts: { test: 'jest --ci', lint: 'eslint .' } }, []],
    ['the version affects nobody', { version: '2.0.0' }, []],
    ['words about the project affect nobody', { description: 'A monorepo', license: 'MIT', author: 'Ada', keywords: ['a'] }, []],
    ['settings of hooks affect nobody', { 'lint-staged': { '*.js': 'prettier' }, husky: {} }, []],
    ['what importers of the root see affects the root', { exports: './index.js' }, ['monorepo']],
    [
      'a script that runs on install affects everybody',
      { scripts: { test: 'jest', postinstall: 'patch-package' } },
      'all: ROOT_MANIFEST_CHANGED',
    ],
    ['the settings of the test runner affect everybody', { jest: { testTimeout: 1 } }, 'all: ROOT_MANIFEST_CHANGED'],
    ['the kind of modules affects everybody', { type: 'module' }, 'all: ROOT_MANIFEST_CHANGED'],
    ['the engines affect everybody', { engines: { node: '>=20' } }, 'all: ROOT_MANIFEST_CHANGED'],
    // Not for the lockfile to decide: another Yarn may lay out other folders from the same lockfile.
    ['another release of Yarn affects everybody', { packageManager: 'yarn@4.18.0' }, 'all: ROOT_MANIFEST_CHANGED'],
    ['a key that is not known affects everybody', { whatever: true }, 'all: ROOT_MANIFEST_CHANGED'],
  ])('%s', async (_, over, affected) => {
    expect(await scene.ask({ files: manifestOf('', over) })).toEqual(affected);
  });

  test('the layout of the file affects nobody', async () => {
    const text = readText(scene.copy(), 'package.json');
    const reordered = Object.fromEntries(Object.entries(JSON.parse(text)).toReversed());
    expect(await scene.ask({ files: { 'package.json': JSON.stringify(reordered, null, 4) } })).toEqual([]);
  });

  test('a script together with a source file is the source file', async () => {
    const files = { ...manifestOf('', { scripts: {} }), 'packages/ring-a/a.js': '' };
    expect(await scene.ask({ files })).toEqual(['ring-a', 'ring-b']);
  });

  test('a new name affects the root', async () => {
    expect(await scene.ask({ files: manifestOf('', { name: 'acme' }), lock: 'by Yarn' })).toEqual(['acme']);
  });
});

describe('a dependency of the root', () => {
  test('that runs tests affects everybody when it moves on, for nobody else names it', async () => {
    const files = manifestOf('', { devDependencies: { ...TOOLS, jest: '1.0.1' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });

  test('that only formats affects the root when it moves on', async () => {
    const files = manifestOf('', { devDependencies: { ...TOOLS, prettier: '1.0.1' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['monorepo']);
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

  test('that comes, or goes, affects everybody unless only the root uses it', async () => {
    const { jest: _, ...rest } = TOOLS;
    const { prettier: __, ...others } = TOOLS;
    const come = manifestOf('', { devDependencies: { ...TOOLS, typescript: '^1.0.0' } });
    expect(await scene.ask({ files: come, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
    expect(await scene.ask({ files: manifestOf('', { devDependencies: rest }), lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
    expect(await scene.ask({ files: manifestOf('', { devDependencies: others }), lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('affects the root alone if tributary.json says so', async () => {
    const before = { 'tributary.json': '{"affected": {"rootOnlyDependencies": ["je*"]}}\n' };
    const files = manifestOf('', { devDependencies: { ...TOOLS, jest: '1.0.1' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('on a workspace affects the root when it comes', async () => {
    const files = manifestOf('', { devDependencies: { ...TOOLS, alone: 'workspace:^' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['monorepo']);
  });

  test('whose range changes and not what it resolves to affects the root', async () => {
    const files = manifestOf('', { devDependencies: { ...TOOLS, jest: '~1.0.0' } });
    const before = manifestOf('', { devDependencies: { ...TOOLS, jest: '1.0.0' } });
    expect(await scene.ask({ before, files: { ...files, 'yarn.lock': '' }, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });
});

describe('resolutions', () => {
  test('that come affect who gets the package, also through others', async () => {
    expect(await scene.ask({ files: manifestOf('', { resolutions: { deep: '2.0.0' } }), lock: 'by Yarn' })).toEqual(USERS_OF_DEEP);
  });

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
