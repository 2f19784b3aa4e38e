import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { extension, published, settings, YARNRC } from './monorepo.fixture.js';
import { type Answer, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  scene.registry.add(published('shelf', '1.1.0'));
});

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
});

describe('an extension of a package', () => {
  test('affects who has the package', async () => {
    expect(await scene.ask({ files: extension('extended@*'), lock: 'by Yarn' })).toEqual(['by-file']);
  });
});

/** Returns the same keys in another order. */
function reversed(text: string): string {
  const [telemetry = '', linker = '', ...catalog] = text.trimEnd().split('\n');
  return [...catalog, linker, telemetry, ''].join('\n');
}
