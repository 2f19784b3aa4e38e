import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import { manifestOf, published, ROOT_TOOLS, USERS_OF_DEEP } from './monorepo.fixture.js';
import { type Answer, MonorepoScene, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  for (const name of ['jest', 'prettier', 'deep']) scene.registry.add(published(name, '1.0.1'));
});

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
    // The lockfile cannot decide this: another Yarn may create other folders from the same lockfile.
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

  test('a script affects the workspaces that call it, also by another one', async () => {
    const before = {
      ...manifestOf('', { scripts: { test: 'jest', gen: 'node gen.js', prep: 'yarn gen', 'g:x': 'x' } }),
      ...manifestOf('packages/alone', { scripts: { test: 'yarn run -T prep && jest' } }),
      ...manifestOf('packages/tool', { scripts: { build: 'yarn g:x' } }),
    };
    const changed = (over: object): Manifest => ({ scripts: { test: 'jest', gen: 'node gen.js', prep: 'yarn gen', 'g:x': 'x', ...over } });
    expect(await scene.ask({ before, files: manifestOf('', changed({ gen: 'node other.js' })) })).toEqual(['alone']);
    expect(await scene.ask({ before, files: manifestOf('', changed({ 'g:x': 'y' })) })).toEqual(['monorepo', 'tool']);
    expect(await scene.ask({ before, files: manifestOf('', changed({ test: 'jest --ci' })) })).toEqual([]);
  });

  test('a script affects everybody where tasks depend on it', async () => {
    const before = {
      ...manifestOf('', { scripts: { test: 'jest', gen: 'node gen.js' } }),
      'turbo.json': '{ "tasks": { "//#gen": {}, "//#test": {}, "test": { "dependsOn": ["^build", "//#gen"] } } }\n',
    };
    const own = { ...before, 'turbo.json': '{}', 'packages/tool/turbo.json': '{ "tasks": { "test": { "with": ["//#gen"] } } }\n' };
    const inner = { ...before, ...manifestOf('', { scripts: { test: 'jest', gen: 'yarn inner', inner: 'x' } }) };
    const other = manifestOf('', { scripts: { test: 'jest', gen: 'node other.js' } });
    expect(await scene.ask({ before: own, files: other })).toBe('all: ROOT_MANIFEST_CHANGED');
    const changedInner = manifestOf('', { scripts: { test: 'jest', gen: 'yarn inner', inner: 'y' } });
    expect(await scene.ask({ before: inner, files: changedInner })).toBe('all: ROOT_MANIFEST_CHANGED');
    const ask = (scripts: object): Promise<Answer> => scene.ask({ before, files: manifestOf('', { scripts: scripts as never }) });
    expect(await ask({ test: 'jest', gen: 'node other.js' })).toBe('all: ROOT_MANIFEST_CHANGED');
    expect(await ask({ test: 'jest --ci', gen: 'node gen.js' })).toEqual([]);
  });

  test('a new name affects the root', async () => {
    expect(await scene.ask({ files: manifestOf('', { name: 'acme' }), lock: 'by Yarn' })).toEqual(['acme']);
  });
});

describe('a dependency of the root', () => {
  test('that runs tests affects everybody when it moves on, for nobody else names it', async () => {
    const files = manifestOf('', { devDependencies: { ...ROOT_TOOLS, jest: '1.0.1' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });
});

describe('resolutions', () => {
  test('that come affect who gets the package, also through others', async () => {
    expect(await scene.ask({ files: manifestOf('', { resolutions: { deep: '2.0.0' } }), lock: 'by Yarn' })).toEqual(USERS_OF_DEEP);
  });
});
