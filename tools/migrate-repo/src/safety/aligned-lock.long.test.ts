import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture, SETTINGS } from './installed.fixture.js';
import { createSource, type MigrationFixture } from './migration.fixture.js';

// What a package had locked is locked on the branch, and the monorepo's own Yarn installs it. Real Yarn, and a real registry.

const cleanUp = cleanUpIn(afterAll);
let fixture: MigrationFixture;
let env: InstalledFixture['env'];
let yarn: InstalledFixture['yarn'];
let registry: InstalledFixture['registry'];

/** The package's own lockfile: an older `ms` than the monorepo would get, and another `used` than the monorepo has. */
const LOCK = ['# yarn lockfile v1', '', entry('ms@^1.0.0', '1.0.0'), entry('used@^1.0.0', '1.0.0'), entry('spare@^2.0.0', '2.0.0')].join(
  '\n',
);

function entry(key: string, version: string): string {
  return `\n${key}:\n  version "${version}"\n`;
}

beforeAll(async () => {
  const versions = ['ms@1.0.0', 'ms@1.2.0', 'used@1.0.0', 'used@1.1.0', 'spare@2.0.0', 'spare@2.1.0'];
  const packages = versions.map((one) => published(...(one.split('@') as [string, string])));
  const user = { name: 'user', version: '1.0.0', dependencies: { used: '^1.0.0' } };
  ({ fixture, env, yarn, registry } = await createInstalledFixture(cleanUp, { packages, workspaces: { 'packages/user': user } }));
});

/** Of a source that has not sorted its dependencies. */
async function migrate(name: string, args: readonly string[] = []): Promise<{ readonly result: MigrateResult; readonly stderr: string }> {
  const source = createSource(cleanUp, name, { dependencies: { used: '^1.0.0', ms: '^1.0.0' } });
  source.commit('Lock', { files: { 'yarn.lock': LOCK, 'src/spare.js': 'require("spare");\n' } });
  const { stdout, stderr } = await fixture.accepted([name, '--from', source.path, '--json', '--no-tags', ...args], { env });
  return { result: JSON.parse(stdout) as MigrateResult, stderr };
}

function lockOf(branch: string): string {
  return fixture.monorepo.git('show', `${branch}:yarn.lock`);
}

test('what the package had locked stays locked, what the monorepo has stays as it is, and the conflict is told', async () => {
  const { result, stderr } = await migrate('locked');
  const { alignment, branch, locked, dependencies } = result;
  const lock = lockOf(branch);
  expect(lock.match(/resolution: "(?:ms|used|spare)@[^"]*"/g)).toEqual([
    'resolution: "ms@npm:1.0.0"',
    'resolution: "spare@npm:2.0.0"',
    'resolution: "used@npm:1.1.0"',
  ]);
  expect(alignment?.map(({ step }) => step)).toEqual(['phantoms', 'versions', 'lockfile']);
  const { changes = [], files = [] } = alignment?.at(-1) ?? {};
  // Yarn sorts what the source had not sorted.
  expect(files).toEqual(['packages/locked/package.json', 'yarn.lock']);
  expect(changes.map(({ text }) => text)).toEqual([
    'Of 3 locked requests 2 have the locked version; 1 that of the monorepo.',
    'No locked version of the monorepo changed.',
    '`packages/locked/package.json` was reformatted as Yarn would do at each installation.',
    'Installed with `--immutable --check-resolutions --mode=skip-build`: no script of a package was run.',
  ]);
  expect(locked).toMatchObject({
    requests: 3,
    changed: [{ request: 'used@npm:^1.0.0', change: { from: '1.0.0', to: '1.1.0' }, isDirect: true }],
  });
  expect(dependencies).toMatchObject([
    {
      name: 'used',
      declarations: [
        { workspace: 'locked', change: { level: 'minor' } },
        { workspace: 'user', change: null },
      ],
    },
  ]);
  // What Yarn does is told as it comes.
  const phases = ['Translating lockfiles', 'Updating yarn.lock', 'Installing'];
  expect(stderr.match(/^.* step$/gm)).toEqual(
    phases.flatMap((phase) => ['Resolution', 'Fetch', 'Link'].map((step) => `${phase}: ${step} step`)),
  );
});

test('installing in a clone of the branch changes no file, also where the source had not sorted its dependencies', async () => {
  const clone = cleanUp.add(TempRepo.cloneOf(fixture.monorepo, '--branch', 'migrate/locked'));
  const install = [quickYarn(findProjectRoot()), 'install', '--immutable', '--check-resolutions'];
  expect(await runProcess(process.execPath, install, { cwd: clone.path, env })).toMatchObject({ code: 0 });
  expect(clone.git('status', '--porcelain')).toBe('');
});

test('the constraint that is proposed holds on the branch that it is proposed for, and would not without its exceptions', async () => {
  const source = createSource(cleanUp, 'apart', { dependencies: { used: '1.0.0' } });
  source.commit('Lock', { files: { 'yarn.lock': `# yarn lockfile v1\n${entry('used@1.0.0', '1.0.0')}` } });
  const { stdout, stderr } = await fixture.accepted(['apart', '--from', source.path, '--json', '--no-tags', '--quiet'], { env });
  expect(stderr).toBe('');
  const { branch, constraint } = JSON.parse(stdout) as MigrateResult;
  fixture.monorepo.git('checkout', '-q', branch);
  try {
    fixture.monorepo.write({ 'yarn.config.cjs': constraint });
    await yarn('constraints');
    fixture.monorepo.write({ 'yarn.config.cjs': constraint?.replace(/^ {2}'used'.*$/m, '') ?? null });
    await expect(yarn('constraints')).rejects.toThrow(/used/);
  } finally {
    fixture.monorepo.write({ 'yarn.config.cjs': null });
    fixture.monorepo.git('checkout', '-q', 'main');
  }
});

/** Runs `work` on a branch of the monorepo with these files changed, then removes the branch. */
async function onBranch(files: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  fixture.monorepo.git('checkout', '-q', '-b', 'drifted');
  try {
    fixture.monorepo.commit('Drift', { files });
    await work();
  } finally {
    fixture.monorepo.git('checkout', '-q', 'main');
    fixture.monorepo.git('branch', '-q', '-D', 'drifted');
  }
}

describe('a lockfile of the monorepo that was out of date before', () => {
  const source = createSource(cleanUp, 'drift', {});
  const refuse = (message: RegExp) => async (): Promise<void> => {
    const { stderr } = await fixture.refused('LOCKFILE_MISMATCH', ['drift', '--from', source.path, '--no-tags'], { env });
    expect(stderr).toMatch(message);
    await fixture.accepted(['drift', '--from', source.path, '--no-tags', '--no-install'], { env });
    await fixture.discarded('drift');
  };

  test('refuses the migration, for nobody could tell what the imported package has changed', async () => {
    const manifest = formatManifest({ name: 'user', version: '1.0.0', dependencies: { used: '^1.0.0', ms: '^1.0.0' } });
    const lacks =
      /^error: The yarn\.lock of the monorepo was out of date before the import: Yarn would change its entries for user@workspace:packages\/user and 1 more\./m;
    await onBranch({ 'packages/user/package.json': manifest }, refuse(lacks));
    const leftover = `${lockOf('main')}\n\n"spare@npm:^2.0.0":\n  version: 2.0.0\n  resolution: "spare@npm:2.0.0"\n  languageName: node\n  linkType: hard\n`;
    await onBranch({ 'yarn.lock': leftover }, refuse(/change its entry for spare@npm:\^2\.0\.0\./));
    await onBranch(
      { 'yarn.lock': lockOf('main').replace(/^ {2}version: \d+$/m, '  version: 8') },
      refuse(/has a different format than its Yarn writes/),
    );
  });
});

test('without an installation the lockfile of the monorepo is left alone', async () => {
  const { alignment, branch } = (await migrate('unlocked', ['--no-install'])).result;
  const { commit, decisions } = alignment?.find(({ step }) => step === 'lockfile') ?? {};
  expect(commit).toBeNull();
  expect(decisions).toMatchObject([
    { text: expect.stringMatching(/^Nothing was installed, so the root yarn\.lock lacks what unlocked had locked/) },
  ]);
  expect(lockOf(branch)).toBe(lockOf('main'));
});

test('a registry that cannot be reached refuses the migration, and the monorepo is as it was', async () => {
  const source = createSource(cleanUp, 'offline', { dependencies: { ms: '^1.0.0' } });
  const nowhere = { ...env, YARN_NPM_REGISTRY_SERVER: 'http://127.0.0.1:9', YARN_HTTP_RETRY: '0' };
  const { stderr } = await fixture.refused('REGISTRY_UNREACHABLE', ['offline', '--from', source.path, '--no-tags'], { env: nowhere });
  expect(stderr).toContain('--no-install');
});

test('where a plain range leads to no workspace, others keep the published version that was locked', async () => {
  for (const version of ['1.0.0', '1.1.0']) registry.add(published('opaque', version));
  registry.add(published('asker', '1.0.0', { opaque: '^1.0.0' }));
  fixture.monorepo.write({ '.yarnrc.yml': `${SETTINGS}enableTransparentWorkspaces: false\n` });
  fixture.monorepo.git('add', '.yarnrc.yml');
  fixture.monorepo.commit('Link what says workspace');
  const source = createSource(cleanUp, 'opaque', { version: '1.2.0', dependencies: { asker: '^1.0.0' } });
  const asker = `${entry('asker@^1.0.0', '1.0.0')}  dependencies:\n    opaque "^1.0.0"\n`;
  source.commit('Lock', { files: { 'yarn.lock': ['# yarn lockfile v1', '', asker, entry('opaque@^1.0.0', '1.0.0')].join('\n') } });
  const { stdout } = await fixture.accepted(['opaque', '--from', source.path, '--json', '--no-tags'], { env });
  const { branch, locked } = JSON.parse(stdout) as MigrateResult;
  expect(lockOf(branch)).toContain('resolution: "opaque@npm:1.0.0"');
  expect(locked).toMatchObject({ requests: 2, changed: [] });
  fixture.monorepo.git('checkout', '-q', branch);
  await yarn('install', '--immutable', '--check-resolutions');
  fixture.monorepo.git('checkout', '-q', 'main');
});
