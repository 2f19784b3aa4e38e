import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { extension, manifestOf, published, settings, YARNRC } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

// Continues settings-basics.long.test.ts.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  scene.registry.add(published('shelf', '1.1.0'));
});

describe('a catalog', () => {
  test('whose entry leads elsewhere affects who asks for it', async () => {
    expect(await scene.ask({ files: settings(YARNRC.replace('lib: ^1.0.0', 'lib: "workspace:^"')), lock: 'by Yarn' })).toEqual([
      'by-catalog',
    ]);
  });

  test('with an entry more affects nobody', async () => {
    expect(await scene.ask({ files: settings(`${YARNRC}  deep: ^1.0.0\n`), lock: 'by Yarn' })).toEqual([]);
  });

  test('with a name affects who asks for this one', async () => {
    const before = {
      ...manifestOf('packages/tool', { dependencies: { shelf: 'catalog:old' } }),
      ...settings(`${YARNRC}catalogs:\n  old:\n    shelf: 1.0.0\n`),
    };
    const files = settings(`${YARNRC}catalogs:\n  old:\n    shelf: 1.1.0\n`);
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['monorepo', 'tool']);
  });

  test('whose entry the root asks for affects everybody, as any dependency of the root', async () => {
    const root = manifestOf('', { devDependencies: { jest: 'catalog:', prettier: '^1.0.0', tool: 'workspace:^' } });
    const change = { before: { ...root, ...settings(`${YARNRC}  jest: 1.0.0\n`) }, files: settings(`${YARNRC}  jest: 1.0.1\n`) };
    scene.registry.add(published('jest', '1.0.1'));
    expect(await scene.ask({ ...change, lock: 'by Yarn' })).toBe('all: ROOT_DEPENDENCY_CHANGED');
  });
});

describe('an extension of a package', () => {
  test('affects who gets the package through others', async () => {
    expect(await scene.ask({ files: extension('left@1'), lock: 'by Yarn' })).toEqual(['by-dependency', 'by-optional']);
  });

  test('that adds a peer affects who has the package', async () => {
    expect(await scene.ask({ files: extension('extended@*', 'peerDependencies'), lock: 'by Yarn' })).toEqual(['by-file']);
  });

  test('that goes affects the same', async () => {
    expect(await scene.ask({ before: extension('extended@*'), files: settings(YARNRC), lock: 'by Yarn' })).toEqual(['by-file']);
  });

  test('for a version that nobody has counts for those who have another: it goes by name', async () => {
    expect(await scene.ask({ files: extension('extended@^7.0.0'), lock: 'by Yarn' })).toEqual(['by-file']);
  });

  test('that adds a workspace makes whoever has the package its dependent', async () => {
    const before = settings(`${YARNRC}packageExtensions:\n  "extended@*":\n    dependencies:\n      tool: "*"\n`);
    expect(await scene.ask({ before, files: { 'packages/tool/a.js': '' }, lock: 'by Yarn' })).toEqual(['by-file', 'monorepo', 'tool']);
  });
});
