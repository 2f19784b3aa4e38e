import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource, keepFolders } from './migration.fixture.js';

// What no tool would write into a source, but some sources have: each is named, and the branch works.

// On a busy machine Yarn 4.18 may fail on its own: `The argument 'stdio' is invalid`.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const cleanUp = cleanUpIn(afterAll);
let installed: InstalledFixture;
let putBack: () => void;

beforeAll(async () => {
  const packages = [published('lib', '1.0.0'), published('lib', '1.1.0'), published('left-pad', '0.9.0')];
  installed = await createInstalledFixture(cleanUp, { packages, workspaces: {} });
  putBack = keepFolders(cleanUp, [installed.fixture.monorepo.path, installed.fixture.home.path]);
});

beforeEach(() => putBack());

function sourceWith(manifest: Manifest, files: Readonly<Record<string, string>> = {}): TempRepo {
  const source = createSource(cleanUp, 'left-pad', manifest);
  source.commit('Spoil', { files: { 'yarn.lock': null, ...files } });
  return source;
}

/** Migrates a source, which must succeed, and installs the branch with `--immutable`. */
async function migrated(source: TempRepo, ...args: readonly string[]): Promise<MigrateResult> {
  const { fixture, env, yarn } = installed;
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json', ...args], { env });
  fixture.monorepo.git('checkout', '--quiet', 'migrate/left-pad');
  await yarn('install', '--immutable');
  return JSON.parse(stdout) as MigrateResult;
}

/** Returns everything that is asked or told about the package. */
function toldIn({ alignment }: MigrateResult): string {
  return JSON.stringify(alignment?.map(({ changes, decisions }) => ({ changes, decisions })));
}

describe('an override that names itself', () => {
  const dependencies = { lib: '^1.0.0' };
  test.each<[string, Manifest, string]>([
    ['as the package', { overrides: { 'left-pad': '0.9.0' } }, 'overrides.left-pad'],
    ['as the package, for Yarn', { resolutions: { 'left-pad': '0.9.0' } }, 'resolutions.left-pad'],
    ['as its own parent', { overrides: { lib: { lib: '1.0.0' } } }, 'lib/lib'],
    ['as its own parent, for pnpm', { pnpm: { overrides: { 'lib>lib': '1.0.0' } } }, 'lib/lib'],
    ['as its own version', { overrides: { lib: '$lib' } }, 'overrides.lib'],
    ['as the version of the package', { overrides: { lib: '$left-pad' } }, 'overrides.lib'],
  ])('%s is told, and the branch can be installed', async (_, manifest, key) => {
    const result = await migrated(sourceWith({ dependencies, ...manifest }));
    expect(toldIn(result)).toContain(key);
    const root = JSON.parse(installed.fixture.monorepo.git('show', 'HEAD:package.json')) as Manifest;
    // Only for what asks for itself: nobody else's version changes.
    expect(Object.keys((root['resolutions'] as object | undefined) ?? {}).filter((one) => !one.includes('/'))).toEqual([]);
    expect(installed.fixture.monorepo.git('show', 'HEAD:yarn.lock')).toMatch(/^"left-pad@workspace:packages\/left-pad":$/m);
  });
});

describe('a tag v2.0.0 on a commit without a package.json', () => {
  function withoutManifest(): TempRepo {
    const source = createSource(cleanUp, 'left-pad');
    source.commit('Gone', { files: { 'package.json': null } });
    source.git('tag', 'v2.0.0');
    source.git('tag', 'nightly');
    source.commit('Back', { files: { 'package.json': formatManifest({ name: 'left-pad', version: '3.0.0' }), 'yarn.lock': null } });
    return source;
  }

  test('comes under its name, with a warning, also in the dry run', async () => {
    const source = withoutManifest();
    const warning = '1 tag of left-pad names a version at a commit without a package.json: v2.0.0 is left-pad@2.0.0.';
    const { stdout } = await installed.fixture.accepted(['left-pad', '--from', source.path, '--json', '--dry-run'], { env: installed.env });
    expect((JSON.parse(stdout) as MigrateResult).warnings).toContain(warning);
    expect((await migrated(source)).warnings).toContain(warning);
  });

  test('is no version of a package in a folder: it is left out by name', async () => {
    const source = createSource(cleanUp, 'root');
    source.commit('Start the folder', { files: { 'pad/index.js': '' } });
    source.git('tag', 'v5.0.0');
    source.commit('Name it', { files: { 'pad/package.json': formatManifest({ name: 'left-pad', version: '5.0.0' }) } });
    const result = await migrated(source, '--subdirectory', 'pad');
    expect(result.packages[0]).toMatchObject({ tags: [], leftOutTags: ['v1.0.0', 'v1.1.0', 'v5.0.0'] });
    expect(installed.fixture.monorepo.git('tag')).toBe('');
  });
});

test.each<[string, string]>([
  ['that is missing', '[submodule "x"]\n\turl = ../x\n'],
  ['that is empty', '[submodule "x"]\n\tpath =\n\turl = ../x\n'],
  ['without a value', '[submodule "x"]\n\tpath\n\turl = ../x\n'],
])('a submodule with a path %s is told, and the submodule commands of the monorepo work', async (_, text) => {
  const source = sourceWith({}, { '.gitmodules': text });
  source.git('update-index', '--add', '--cacheinfo', `160000,${source.id('HEAD')},vendor/x`);
  source.git('commit', '--quiet', '-m', 'Add a submodule');
  const result = await migrated(source);
  expect(toldIn(result)).toContain('git submodule add <address> <path>');
  expect(toldIn(result)).toContain('packages/left-pad/vendor/x');
  expect(installed.fixture.monorepo.git('submodule', 'status')).toBe('');
});

test.each<[string, string, string]>([
  ['of the package', '[attr]mine -text\n*.dat mine\n', '[attr]mine'],
  ['that redefine one of git', '[attr]binary text\n*.dat binary\n', '[attr]binary'],
])('attributes with macros %s are told, and no file of it looks changed', async (_, text, macro) => {
  const source = createSource(cleanUp, 'left-pad');
  source.git('config', 'core.autocrlf', 'false');
  source.commit('Spoil', { files: { 'yarn.lock': null, '.gitattributes': text, 'x.dat': 'a\r\nb\r\n' } });
  const result = await migrated(source);
  expect(toldIn(result)).toContain(`git reads macros only at the root: move them there`);
  expect(toldIn(result)).toContain(macro);
  installed.fixture.monorepo.git('add', '--renormalize', 'packages/left-pad');
  expect(installed.fixture.monorepo.git('diff', '--cached', '--name-only')).toBe('');
});

test('a family in which everything fails is refused with the cause of each, and nothing is written', async () => {
  const sources = {
    unnamed: createSource(cleanUp, 'other'),
    broken: sourceWith({}, { 'package.json': '{"name": "broken",' }),
    needy: sourceWith({ name: 'needy', dependencies: { broken: '*' } }),
    gone: sourceWith({ name: 'gone', dependencies: { nowhere: '^1.0.0' } }),
  };
  const packages = Object.fromEntries(Object.entries(sources).map(([name, { path }]) => [name, { source: path }]));
  installed.fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  const { env } = installed;
  for (const more of [[], ['--no-tags']]) {
    const { stderr } = await installed.fixture.refused('PACKAGES_LEFT_OUT', [...Object.keys(sources), ...more], { env });
    expect(stderr).toContain('None of the 4 packages can be migrated.');
    for (const [name, code] of [
      ['unnamed', 'SOURCE_NAME_MISMATCH'],
      ['broken', 'MANIFEST_INVALID'],
      ['needy', 'DEPENDENCY_LEFT_OUT'],
    ])
      expect(stderr).toMatch(new RegExp(`^ {2}${name}: .* \\[${code}\\]$`, 'm'));
    expect(stderr).toMatch(/^ {2}gone: .*nowhere.* \[\w+\]$/m);
  }
});
