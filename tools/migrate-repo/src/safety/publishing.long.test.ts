import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource } from './migration.fixture.js';

// Packages that npm publishes, in a monorepo that Yarn installs. Consumers get the same dependencies, and so do
// packages from the registry. Real Yarn, npm and registry.

const cleanUp = cleanUpIn(afterEach);

const YARN = quickYarn(findProjectRoot());
const RELEASE = 'on: push\njobs:\n  release:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npx semantic-release\n';
const LOCK = '# yarn lockfile v1\n\n';

interface Family {
  readonly installed: InstalledFixture;
  readonly core: TempRepo;
  readonly app: TempRepo;
}

/** Creates `core` and `app`, which needs it. `runner` from the registry tests `app` and needs `core` too. */
async function createFamily(core: Manifest): Promise<Family> {
  const packages = [published('core', '2.1.0'), published('core', '2.0.0'), published('runner', '1.0.0', { core: '^2.0.0' })];
  const installed = await createInstalledFixture(cleanUp, { packages, workspaces: {} });
  const source = createSource(cleanUp, 'core', { main: 'src/index.js', ...core });
  source.commit('Release by a tool', { files: { '.github/workflows/release.yml': RELEASE } });
  source.git('tag', 'v2.1.0');
  const app = createSource(cleanUp, 'app', {
    ...core,
    main: 'src/index.js',
    dependencies: { core: '^2.0.0' },
    devDependencies: { runner: '^1.0.0' },
  });
  const locked = `${LOCK}core@^2.0.0:\n  version "2.0.0"\n\nrunner@^1.0.0:\n  version "1.0.0"\n  dependencies:\n    core "^2.0.0"\n`;
  app.commit('Release by a tool', { files: { '.github/workflows/release.yml': RELEASE, 'yarn.lock': locked } });
  return { installed, core: source, app };
}

interface Moved {
  readonly clone: TempRepo;
  readonly texts: readonly string[];
}

/** Imports both packages, and installs the branch in a clone without changing its files. */
async function migrate({ installed, core, app }: Family, args: readonly string[] = []): Promise<Moved> {
  const { fixture, env } = installed;
  fixture.monorepo.commit('Sources', {
    files: { 'tributary.json': JSON.stringify({ migrate: { packages: { core: { source: core.path }, app: { source: app.path } } } }) },
  });
  const { stdout } = await fixture.accepted(['core', 'app', '--json', ...args], { env });
  const { branch, alignment } = JSON.parse(stdout) as MigrateResult;
  const clone = cleanUp.add(TempRepo.cloneOf(fixture.monorepo, '--branch', branch));
  const { code, stdout: said } = await runProcess(process.execPath, [YARN, 'install', '--immutable'], { cwd: clone.path, env });
  expect([code, code === 0 ? '' : said]).toEqual([0, '']);
  expect(clone.git('status', '--porcelain')).toBe('');
  const texts = (alignment ?? []).flatMap(({ changes, decisions }) => [...changes, ...decisions].map(({ text }) => text));
  return { clone, texts };
}

/** Returns the package.json in the archive that npm creates. */
async function packedManifest(folder: string): Promise<string> {
  const { stdout } = await runProcess('npm', ['pack', '--json', '--ignore-scripts', '--offline'], { cwd: folder });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return (await runProcess('tar', ['-xOzf', packed?.filename ?? '', 'package/package.json'], { cwd: folder })).stdout;
}

/** Returns where a file of a clone gets `core` from. */
function coreOf({ clone }: Moved, ...from: readonly string[]): string {
  const [, inClone = ''] = realpathSync(createRequire(join(clone.path, ...from, 'x.js')).resolve('core/package.json')).split(
    realpathSync(clone.path),
  );
  return inClone;
}

const WORKSPACE = '/packages/core/package.json';

test('a family whose versions are placeholders: what is published stays, requests lead to the workspaces, a tool keeps its own', async () => {
  const family = await createFamily({ version: '0.0.0-development' });
  const before = await packedManifest(family.app.path);
  const moved = await migrate(family);
  expect(await packedManifest(join(moved.clone.path, 'packages/app'))).toBe(before);
  expect(JSON.parse(readFileSync(join(moved.clone.path, 'package.json'), 'utf8'))).toMatchObject({
    resolutions: { 'app/core': 'workspace:packages/core' },
  });
  expect(coreOf(moved, 'packages/app')).toBe(WORKSPACE);
  expect(coreOf(moved, 'node_modules/runner')).not.toBe(WORKSPACE);
  expect(moved.texts.filter((text) => text.startsWith('Releases set the versions'))).toHaveLength(1);
});

test('a tool of the registry keeps its own copy of what has moved in, also of the same version', async () => {
  const family = await createFamily({ version: '2.0.0' });
  const moved = await migrate(family);
  expect(coreOf(moved, 'packages/app')).toBe(WORKSPACE);
  expect(coreOf(moved, 'node_modules/runner')).not.toBe(WORKSPACE);
  expect(readFileSync(join(moved.clone.path, 'packages/app/package.json'), 'utf8')).not.toContain('workspace:');
});

test('what a build would have to make first stays with the registry, until builds may run', async () => {
  const family = await createFamily({ version: '2.0.0' });
  family.core.commit('Build it', { files: { 'package.json': formatManifest({ name: 'core', version: '2.0.0', main: 'dist/index.js' }) } });
  const moved = await migrate(family);
  expect(coreOf(moved, 'packages/app')).not.toBe(WORKSPACE);
  expect(moved.texts.join('\n')).toContain('Other packages load files of these packages that exist only after a build.');
  await family.installed.fixture.discarded('migrate/app-and-1-more');
  expect(coreOf(await migrate(family, ['--run-scripts']), 'packages/app')).toBe(WORKSPACE);
});

test('without a lockfile of its own the registry is asked whether it has what a build would make', async () => {
  const family = await createFamily({ version: '2.0.0' });
  family.app.commit('Lock nothing', { files: { 'yarn.lock': null } });
  family.core.commit('Build it', { files: { 'package.json': formatManifest({ name: 'core', version: '2.0.0', main: 'dist/index.js' }) } });
  const moved = await migrate(family);
  expect(coreOf(moved, 'packages/app')).not.toBe(WORKSPACE);
  expect(readFileSync(join(moved.clone.path, 'packages/app/package.json'), 'utf8')).toContain('"core": "^2.0.0"');
  expect(moved.texts.join('\n')).toContain('Other packages load files of these packages that exist only after a build.');
  const { fixture, env } = family.installed;
  await fixture.discarded('migrate/app-and-1-more');
  // No server listens at this address.
  const silent = { ...env, YARN_NPM_REGISTRY_SERVER: 'http://127.0.0.1:9', YARN_HTTP_RETRY: '0' };
  const { stdout } = await fixture.accepted(['core', 'app', '--dry-run', '--json'], { env: silent });
  expect(stdout).toContain('unknown whether the registry has it');
});

test('what Yarn packs says workspace:, and Yarn writes the version into the archive', async () => {
  const family = await createFamily({ version: '2.0.0', scripts: { release: 'yarn npm publish' } });
  for (const repo of [family.core, family.app]) repo.commit('Release by Yarn', { files: { '.github': null } });
  const { clone } = await migrate(family);
  expect(readFileSync(join(clone.path, 'packages/app/package.json'), 'utf8')).toContain('"core": "workspace:^"');
  const pack = ['workspace', 'app', 'pack', '--out', join(clone.path, 'app.tgz')];
  expect(await runProcess(process.execPath, [YARN, ...pack], { cwd: clone.path, env: family.installed.env })).toMatchObject({ code: 0 });
  const { stdout } = await runProcess('tar', ['-xOzf', 'app.tgz', 'package/package.json'], { cwd: clone.path });
  expect(JSON.parse(stdout)).toMatchObject({ dependencies: { core: '^2.0.0' } });
});
