import { existsSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { GroupedMessage, MigrateResult } from '../result/result.js';
import { createInstalledFixture } from './installed.fixture.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// Packages and monorepos that cannot be installed are refused, most before any Yarn starts.

const cleanUp = cleanUpIn(afterEach);
let fixture: MigrationFixture;

beforeEach(() => {
  fixture = createFixture(cleanUp);
  fixture.monorepo.commit('Lock', { files: { 'yarn.lock': '__metadata:\n  version: 8\n  cacheKey: 10c0\n' } });
});

function source(manifest: Manifest): TempRepo {
  return createSource(cleanUp, 'left-pad', manifest);
}

const NO_ENTRY = 'the catalog of .yarnrc.yml has no entry for it';

describe('a range that nothing can resolve', () => {
  const manifest = { dependencies: { react: 'catalog:' } };

  test.each([{ args: [] }, { args: ['--dry-run'] }])('is refused with who asks for it $args', async ({ args }) => {
    const { stderr } = await fixture.refused('DEPENDENCY_UNRESOLVABLE', ['left-pad', '--from', source(manifest).path, ...args]);
    expect(stderr).toContain(
      `left-pad (packages/left-pad) requires react "catalog:" in "dependencies", which Yarn cannot install: ${NO_ENTRY}.`,
    );
  });

  test('comes without an installation, and is to be decided', async () => {
    const { stdout } = await fixture.accepted(['left-pad', '--from', source(manifest).path, '--no-install', '--json']);
    const { alignment } = JSON.parse(stdout) as MigrateResult;
    expect(refusedIn(alignment)).toEqual([
      { text: `Yarn refuses it: ${NO_ENTRY}.`, about: [{ package: 'left-pad', place: 'react', detail: '`catalog:`' }] },
    ]);
  });

  test('is told once where it is the workspace that is missing', async () => {
    const { path } = source({ dependencies: { core: 'workspace:^' } });
    const { stdout } = await fixture.accepted(['left-pad', '--from', path, '--no-install', '--json']);
    const { alignment } = JSON.parse(stdout) as MigrateResult;
    expect(refusedIn(alignment)).toMatchObject([{ about: [{ package: 'left-pad', place: 'core', detail: '`workspace:^`' }] }]);
  });
});

/** Returns the reasons why an installation will fail. */
function refusedIn(alignment: MigrateResult['alignment']): readonly GroupedMessage[] {
  const decisions = (alignment ?? []).flatMap((step) => step.decisions);
  return decisions.flatMap(({ risk, findings }) => (risk === 'installation' ? findings : []));
}

describe('a dry run stops for what stops the migration', () => {
  test('a release whose package for another platform the registry lacks', async () => {
    const lib = { name: 'lib', version: '1.0.0', optionalDependencies: { 'lib-darwin': '1.0.0' } };
    const installed = await createInstalledFixture(cleanUp, { packages: [{ manifest: lib }], workspaces: {} });
    const { path } = source({ dependencies: { lib: '^1.0.0' } });
    const command = ['left-pad', '--from', path, '--dry-run'];
    const planned = await installed.fixture.run(command, { env: installed.env });
    const real = await installed.fixture.run(command.slice(0, -1), { env: installed.env });
    expect(planned.stderr).toContain('lib-darwin@1.0.0, which a dependency of left-pad (packages/left-pad) requires, cannot be installed');
    expect([planned.code, planned.stderr]).toEqual([real.code, real.stderr]);
  });
});

describe('a manifest that says something else than it seems', () => {
  test('is refused with file and field, and its history alone may come', async () => {
    const { path } = source({ devDependencies: ['ms'] });
    const { stderr } = await fixture.refused('MANIFEST_INVALID', ['left-pad', '--from', path]);
    expect(stderr).toContain(`package.json of ${path}: "devDependencies" must map names to ranges, but is a list.`);
    await fixture.accepted(['left-pad', '--from', path, '--no-align']);
  });

  test('and the other packages of the run come without it', async () => {
    const [bad, good] = [source({ dependencies: { ms: 2 } }), createSource(cleanUp, 'right-pad')];
    const packages = { 'left-pad': { source: bad.path }, 'right-pad': { source: good.path } };
    fixture.monorepo.commit('Name them', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
    const { code, stdout } = await fixture.run(['left-pad', 'right-pad', '--no-install', '--json']);
    const { leftOut } = JSON.parse(stdout) as MigrateResult;
    expect([code, leftOut.map(({ name, code: why }) => [name, why])]).toEqual([1, [['left-pad', 'MANIFEST_INVALID']]]);
  });

  test('not UTF-8, in the source or in the monorepo', async () => {
    const latin1 = Buffer.from(formatManifest({ name: 'left-pad', description: 'café' }), 'latin1');
    const odd = source({});
    odd.commit('Save', { files: { 'package.json': latin1 } });
    const { stderr } = await fixture.refused('MANIFEST_INVALID', ['left-pad', '--from', odd.path]);
    expect(stderr).toContain('is not UTF-8');
    fixture.monorepo.commit('Save', { files: { 'packages/here/package.json': latin1 } });
    const other = await fixture.refused('MANIFEST_INVALID', ['right-pad', '--from', createSource(cleanUp, 'right-pad').path]);
    expect(other.stderr).toContain('packages/here/package.json of the monorepo cannot be read: it is a link, or not UTF-8.');
  });

  test('a symbolic link', async () => {
    const odd = source({});
    odd.write({ 'package.json': null, 'real.json': formatManifest({ name: 'left-pad' }) });
    symlinkSync('real.json', `${odd.path}/package.json`);
    odd.commit('Link');
    const { stderr } = await fixture.refused('SOURCE_NO_MANIFEST', ['left-pad', '--from', odd.path]);
    expect(stderr).toContain('is a symbolic link, which is not followed.');
  });
});

test.each([
  ['.yarnrc.yml', 'CONFIG_INVALID'],
  ['yarn.lock', 'LOCKFILE_INVALID'],
])('a link in the place of %s of the monorepo is not taken for none', async (file, code) => {
  fixture.monorepo.write({ [file]: null, other: 'nodeLinker: node-modules\n' });
  symlinkSync('other', `${fixture.monorepo.path}/${file}`);
  fixture.monorepo.commit('Link');
  const { stderr } = await fixture.refused(code, ['left-pad', '--from', source({}).path]);
  expect(stderr).toContain(`${file} of the monorepo cannot be read: it is a link, or not UTF-8.`);
});

test('a folder that a pattern excludes from the workspaces', async () => {
  const manifest = formatManifest({ name: 'root', private: true, workspaces: ['packages/*', '!packages/left-pad'] });
  fixture.monorepo.commit('Exclude', { files: { 'package.json': manifest } });
  const { stderr } = await fixture.refused('YARN_DISAGREES', ['left-pad', '--from', source({}).path]);
  expect(stderr).toContain(
    'left-pad in packages/left-pad would not be a workspace: "workspaces" of the root package.json excludes that folder.',
  );
});

test('a file that is nested thousands of brackets deep is said to be unread, and nothing breaks', async () => {
  const odd = source({});
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  odd.commit('Nest', { files: { '.eslintrc.json': `{"x":${deep}}`, 'src/deep.js': `require("none");\n${deep};\n` } });
  const { stdout } = await fixture.accepted(['left-pad', '--from', odd.path, '--no-install', '--json']);
  expect(stdout).toContain('`packages/left-pad/.eslintrc.json` could not be read.');
});

test('a lockfile that is no text is not taken for none', async () => {
  const odd = source({});
  odd.commit('Break', { files: { 'yarn.lock': Buffer.from([0, 1, 255]) } });
  const { stderr } = await fixture.refused('LOCKFILE_INVALID', ['left-pad', '--from', odd.path]);
  expect(stderr).toContain('The lockfile of left-pad cannot be used: yarn.lock cannot be read: it is a link, or not UTF-8 text.');
});

/** PATH without a Yarn. People who start the tests through Yarn have one in PATH that fits every monorepo. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !existsSync(join(folder, 'yarn')) || existsSync(join(folder, 'git')))
  .join(delimiter);

describe('a Yarn that is not there', () => {
  const release = '.yarn/releases/yarn-4.0.0.cjs';

  test.each([
    [{ '.yarnrc.yml': `yarnPath: ${release}\n` }, {}, `yarnPath names ${release}, which is not in the commit`],
    [{}, { packageManager: 'pnpm@9.0.0' }, 'yarnPath is not set, packageManager names pnpm@9.0.0, and there is '],
    [{}, { packageManager: 'yarn@1.22.22' }, 'names Yarn 1.22.22 as its packageManager, and its yarn.lock is one of Yarn 2 or later'],
  ])('%j %j', async (files, root, words) => {
    const manifest = formatManifest({ name: 'root', private: true, workspaces: ['packages/*'], ...root });
    fixture.monorepo.commit('Choose', { files: { ...files, 'package.json': manifest } });
    const command = ['left-pad', '--from', source({}).path];
    await fixture.refused('YARN_MISSING', [...command, '--dry-run'], { env: { PATH } });
    const { stderr } = await fixture.refused('YARN_MISSING', command, { env: { PATH } });
    expect(stderr).toContain(words);
  });
});
