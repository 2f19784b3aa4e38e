import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf, published, YARNRC } from './monorepo.fixture.js';
import { type Answer, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
  scene.registry.add(published('shelf', '1.1.0'));
});

function settings(text: string): Files {
  return { '.yarnrc.yml': text };
}

describe('a key of .yarnrc.yml', () => {
  test.each<[sentence: string, text: string, affected: Answer]>([
    ['telemetry affects nobody', YARNRC.replace('enableTelemetry: false', 'enableTelemetry: true'), []],
    ['a registry affects nobody, for the lockfile has the checksums', `${YARNRC}npmRegistryServer: "https://packages.example"\n`, []],
    ['comments, quotes and the order of keys affect nobody', `# Words\n${reversed(YARNRC).replace('node-modules', '"node-modules"')}`, []],
    ['the linker affects everybody', YARNRC.replace('node-modules', 'pnp'), 'all: YARN_SETTING_CHANGED'],
    ['plugins affect everybody', `${YARNRC}plugins:\n  - ./plugin.cjs\n`, 'all: YARN_SETTING_CHANGED'],
    ['the release of Yarn affects everybody', `${YARNRC}yarnPath: ./yarn.cjs\n`, 'all: YARN_SETTING_CHANGED'],
    ['where packages are hoisted to affects everybody', `${YARNRC}nmHoistingLimits: workspaces\n`, 'all: YARN_SETTING_CHANGED'],
    [
      'for which systems packages are installed affects everybody',
      `${YARNRC}supportedArchitectures:\n  os: [linux]\n`,
      'all: YARN_SETTING_CHANGED',
    ],
    ['transparent workspaces affect everybody', `${YARNRC}enableTransparentWorkspaces: false\n`, 'all: YARN_SETTING_CHANGED'],
    ['a key that is not known affects everybody', `${YARNRC}ownKey: 1\n`, 'all: YARN_SETTING_CHANGED'],
    ['a file that cannot be read affects everybody', `${YARNRC}<<<<<<< HEAD\n`, 'all: SETTINGS_UNREADABLE'],
  ])('%s', async (_, text, affected) => {
    expect(await scene.ask({ files: settings(text) })).toEqual(affected);
  });

  test('a file that could not be read at the base affects everybody', async () => {
    expect(await scene.ask({ before: settings(`${YARNRC}a: [\n`), files: settings(YARNRC) })).toBe('all: SETTINGS_UNREADABLE');
  });

  test('a file that goes counts as all its keys', async () => {
    expect(await scene.ask({ files: { '.yarnrc.yml': null } })).toBe('all: YARN_SETTING_CHANGED');
  });
});

describe('a catalog', () => {
  test('whose entry moves on affects who asks for it', async () => {
    expect(await scene.ask({ files: settings(YARNRC.replace('~1.0.0', '~1.1.0')), lock: 'by Yarn' })).toEqual(['by-link']);
  });

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
  const extension = (key: string, block = 'dependencies'): Files =>
    settings(`${YARNRC}packageExtensions:\n  "${key}":\n    ${block}:\n      extra: ^1.0.0\n`);

  test('affects who has the package', async () => {
    expect(await scene.ask({ files: extension('extended@*'), lock: 'by Yarn' })).toEqual(['by-file']);
  });

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

/** The same keys in another order. */
function reversed(text: string): string {
  const [telemetry = '', linker = '', ...catalog] = text.trimEnd().split('\n');
  return [...catalog, linker, telemetry, ''].join('\n');
}
