import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { registryEnvironment } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnClassic } from '@tributary/test-repo/project-root';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { type Manifest, type MonorepoDescription, monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, published } from './monorepo.fixture.js';
import { type Answer, ask, askTool, failureOf, MonorepoScene, readResult } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const SMALL: MonorepoDescription = {
  // Yarn 1 refuses to work for another package manager.
  root: { packageManager: undefined },
  packages: {
    'packages/core': { dependencies: { deep: '^1.0.0' } },
    'packages/ui': { dependencies: { core: '^1.0.0' } },
    'packages/app': { devDependencies: { ui: '1.0.0' } },
    'packages/side': {},
  },
  files: { '.gitignore': 'node_modules\n' },
};

/** Creates the small monorepo in a folder of a repository, as its first commit. */
function createSmall(folder = '', more: Files = {}): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.write(below(folder, { ...monorepoFiles(SMALL), ...more }));
  repo.commit('Start');
  return repo;
}

function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [join(folder, path), content]));
}

async function changedIn(repo: TempRepo, files: Files, args: readonly string[] = []): Promise<Answer> {
  repo.commit('Change', { files });
  return ask(repo, ['--base', 'HEAD~1', ...args]);
}

function manifest(name: string, over: Manifest): Files {
  const { [`packages/${name}/package.json`]: text = null } = monorepoFiles({ packages: { [`packages/${name}`]: over } });
  return { [`packages/${name}/package.json`]: text };
}

describe('a project in a folder of the repository', () => {
  async function createInFolder(): Promise<TempRepo> {
    const repo = createSmall('js/mono', { 'yarn.lock': '' });
    await scene.lock(repo, 'js/mono');
    repo.write({ 'go/main.go': '' });
    repo.commit('Lock');
    return repo;
  }

  test('is found from within, and its files are seen from its own root', async () => {
    const repo = await createInFolder();
    const cwd = ['--cwd', join(repo.path, 'js/mono/packages/ui')];
    expect(await changedIn(repo, { 'js/mono/packages/core/a.js': '' }, cwd)).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, { 'js/mono/README.md': '' }, cwd)).toEqual([]);
    expect(await changedIn(repo, { 'js/mono/packages/side/ü.js': '' }, cwd)).toEqual(['side']);
    expect(await changedIn(repo, below('js/mono', manifest('side', { dependencies: { core: '^1.0.0' } })), cwd)).toEqual(['side']);
    expect(
      await changedIn(repo, { 'js/mono/tributary.json': '{"affected": {"rules": [{"files": "e2e/**", "affects": ["app"]}]}}' }, cwd),
    ).toBe('all: CONFIG_CHANGED');
    expect(await changedIn(repo, { 'js/mono/e2e/a.js': '' }, cwd)).toEqual(['app']);
    expect(await changedIn(repo, { 'tributary.json': '{}', 'packages/side/a.js': '' }, cwd)).toBe('all: FILE_UNCLAIMED');
  });

  test('and files beside it are outside of every workspace', async () => {
    const repo = await createInFolder();
    const cwd = ['--cwd', join(repo.path, 'js/mono')];
    expect(await changedIn(repo, { 'go/main.go': 'changed\n' }, cwd)).toBe('all: FILE_UNCLAIMED');
    expect(await changedIn(repo, { 'js/monopoly/a.js': '' }, cwd)).toBe('all: FILE_UNCLAIMED');
    repo.write({ 'js/mono/packages/side/new.js': '' });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted', ...cwd])).toEqual(['side']);
    expect(await ask(repo, ['--files-from', '-', ...cwd], { input: 'js/mono/packages/ui/a.js\n' })).toEqual(['app', 'ui']);
  });
});

describe('a lockfile of Yarn 1', () => {
  let repo: TempRepo;

  beforeAll(async () => {
    repo = createSmall();
    await lockByYarn1(repo);
    repo.commit('Lock');
  });

  async function lockByYarn1(project: TempRepo): Promise<void> {
    const env = registryEnvironment(scene.registry.url, cleanUp.add(createHome()).path);
    const args = [yarnClassic(findProjectRoot()), 'install', '--ignore-scripts', '--non-interactive'];
    const yarn = await runProcess(process.execPath, args, { cwd: project.path, env });
    if (yarn.code !== 0) throw new Error(`Yarn 1 could not make the lockfile:\n${yarn.stdout}${yarn.stderr}`);
    rmSync(join(project.path, 'node_modules'), { recursive: true });
  }

  test('leaves the graph to the manifests', async () => {
    expect(repo.git('show', 'HEAD:yarn.lock')).toContain('# yarn lockfile v1');
    expect(await changedIn(repo, { 'packages/core/a.js': '' })).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, { 'packages/side/a.js': '' })).toEqual(['side']);
    expect(await changedIn(repo, manifest('side', { description: 'New words' }))).toEqual(['side']);
    expect(await changedIn(repo, { 'README.md': '' })).toEqual([]);
  });

  test('affects those who get something else when it changes', async () => {
    scene.registry.add(published('extra', '1.0.0'));
    repo.write(manifest('side', { dependencies: { extra: '^1.0.0' } }));
    await lockByYarn1(repo);
    expect(await changedIn(repo, {})).toEqual(['side']);
    const lock = repo.git('show', 'HEAD:yarn.lock');
    const bumped = lock.replace(/(\ndeep@[^\n]*\n {2}version ")[^"]*/, '$19.9.9');
    expect(bumped).not.toBe(lock);
    expect(await changedIn(repo, { 'yarn.lock': `${bumped}\n` })).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, { 'yarn.lock': `${bumped}\n# A comment.\n` })).toEqual([]);
  });

  test('affects everybody when resolutions change, or when it cannot be read', async () => {
    const root = JSON.parse(repo.git('show', 'HEAD:package.json')) as object;
    const withResolution = { 'package.json': JSON.stringify({ ...root, resolutions: { deep: '2.0.0' } }) };
    expect(await changedIn(repo, withResolution)).toBe('all: LOCKFILE_CLASSIC');
    expect(await changedIn(repo, { 'package.json': JSON.stringify(root) })).toBe('all: LOCKFILE_CLASSIC');
    const lock = repo.git('show', 'HEAD:yarn.lock');
    expect(await changedIn(repo, { 'yarn.lock': `<<<<<<< ours\n${lock}\n` })).toMatch(/^all: LOCKFILE_/);
    expect(await changedIn(repo, { 'yarn.lock': `${lock}\n` })).toMatch(/^all: LOCKFILE_/);
  });

  test('that becomes one of Yarn 4 affects everybody', async () => {
    repo.write({ 'yarn.lock': '' });
    await scene.lock(repo);
    expect(await changedIn(repo, {})).toBe('all: LOCKFILE_CLASSIC');
  });
});

describe('no lockfile', () => {
  test('leaves the graph to the manifests', async () => {
    const repo = createSmall();
    expect(await changedIn(repo, { 'packages/core/a.js': '' })).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, manifest('core', { version: '2.0.0' }))).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, { 'packages/core/a.js': 'changed\n' })).toEqual(['core']);
    expect(await changedIn(repo, manifest('side', { dependencies: { ui: 'workspace:^' } }))).toEqual(['side']);
    expect(await changedIn(repo, { 'packages/ui/a.js': 'changed\n' })).toEqual(['app', 'side', 'ui']);
  });

  test('that comes affects everybody', async () => {
    const repo = createSmall();
    repo.write({ 'yarn.lock': '' });
    await scene.lock(repo);
    expect(await changedIn(repo, {})).toBe('all: LOCKFILE_MISSING');
  });
});

describe('another package manager', () => {
  const file = { 'packages/core/a.js': '' };

  test.each(['pnpm-workspace.yaml', 'bun.lock', 'bun.lockb'])('whose %s says that its workspaces are not ours is refused', async (name) => {
    const repo = createSmall('', { [name]: 'packages:\n  - packages/*\n' });
    repo.commit('Change', { files: file });
    const failure = { exit: 1, code: 'PACKAGE_MANAGER_UNSUPPORTED' };
    expect(failureOf(await askTool(repo, ['--base', 'HEAD~1']))).toEqual(failure);
    // The full list of workspaces is unknown.
    expect(failureOf(await askTool(repo, ['--base', 'HEAD~1', '--fallback', 'all']))).toEqual(failure);
    expect(failureOf(await askTool(repo, ['--files-from', '-'], { input: 'packages/core/a.js\n' }))).toEqual(failure);
  });

  test('is none where npm or Yarn has written a lockfile', async () => {
    const repo = createSmall('', { 'pnpm-workspace.yaml': 'packages: []\n', 'package-lock.json': '{}\n' });
    expect(await changedIn(repo, file)).toEqual(['app', 'core', 'ui']);
  });

  test('that was replaced by Yarn affects everybody', async () => {
    const repo = createSmall('', { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' });
    const files = { 'pnpm-workspace.yaml': null, 'package-lock.json': '{}\n', ...manifest('side', { description: 'New words' }) };
    expect(await changedIn(repo, files)).toBe('all: BASE_UNREADABLE');
  });
});

describe('a warning', () => {
  async function warningsOf(repo: TempRepo, ...args: string[]): Promise<readonly string[]> {
    return readResult(await askTool(repo, args)).warnings;
  }

  test('says that there is no lockfile', async () => {
    const repo = createSmall();
    repo.commit('Change', { files: { 'packages/core/a.js': '' } });
    expect(await warningsOf(repo, '--base', 'HEAD~1')).toEqual([expect.stringMatching(/^There is no lockfile/)]);
    repo.commit('Lock', { files: { 'package-lock.json': '{}\n' } });
    repo.commit('Change again', { files: { 'packages/core/a.js': 'x' } });
    expect(await warningsOf(repo, '--base', 'HEAD~1')).toEqual([]);
  });

  test('says that the base is the head', async () => {
    const repo = scene.copy();
    expect(await warningsOf(repo, '--base', 'main')).toEqual([expect.stringMatching(/^The base is the head itself/)]);
    repo.write({ 'packages/alone/a.js': '' });
    expect(await warningsOf(repo, '--base', 'main', '--uncommitted')).toEqual([]);
  });
});

describe('the repository', () => {
  test('without a project is an error, and not an empty answer', async () => {
    const repo = cleanUp.add(TempRepo.create());
    repo.commit('Start', { files: { 'a.txt': '' } });
    repo.commit('Change', { files: { 'a.txt': 'changed\n' } });
    expect(failureOf(await askTool(repo, ['--base', 'HEAD~1']))).toEqual({ exit: 1, code: 'TARGET_NOT_A_MONOREPO' });
  });

  test('without a commit is an error, and not an empty answer', async () => {
    const repo = cleanUp.add(TempRepo.create());
    repo.write(monorepoFiles(SMALL));
    expect(failureOf(await askTool(repo, []))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  });

  test('whose objects have names of 64 digits', async () => {
    const repo = cleanUp.add(TempRepo.create({ objectFormat: 'sha256' }));
    repo.commit('Start', { files: monorepoFiles(SMALL) });
    expect(await changedIn(repo, { 'packages/core/a.js': '' })).toEqual(['app', 'core', 'ui']);
    expect(await changedIn(repo, manifest('side', { description: 'New words' }))).toEqual(['side']);
  });
});

test('code of the repository is never run: neither its Yarn, nor plugins, nor constraints, nor .pnp.cjs', async () => {
  const trap = "require('node:fs').writeFileSync(__dirname + '/trapped', '');\n";
  const traps = { '.pnp.cjs': trap, 'yarn.config.cjs': trap, 'plugin.cjs': trap, '.yarnrc.cjs': trap, 'jest.config.js': trap };
  const settings = 'plugins:\n  - ./plugin.cjs\nyarnPath: ./plugin.cjs\n';
  const repo = await scene.changed({
    before: { ...traps, '.yarnrc.yml': settings },
    files: manifestOf('packages/lib', { main: 'src/index.js' }),
  });
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(LIB_AND_USERS);
  expect(await ask(repo, ['--base', 'HEAD~2', '--uncommitted'])).toMatch(/^all: /);
  expect(repo.git('status', '--porcelain', '--ignored', '-uall')).not.toContain('trapped');
});
