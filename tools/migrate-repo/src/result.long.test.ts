import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { runCli } from '@tributary/test-repo/run-cli';
import { invalidAnswers } from '@tributary/test-repo/schemas';
import { createTempMonorepo, formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { MANIFEST as APP, BERRY_4, NPM_3, PNPM_9 } from './align/lock/old-lock.fixture.js';
import { createMovingFixture } from './result.fixture.js';

// Checks the schemas, which are made from the types, against what the bundled program prints.

interface Run {
  readonly args: readonly string[];
  readonly code: number | null;
  readonly answer: unknown;
}

const NAMES = ['migrate-result', 'verify-result', 'verify-all-result', 'status-result', 'discard-result', 'sync-result', 'error'] as const;
type Name = (typeof NAMES)[number];

const cleanUp = cleanUpIn(afterAll);
const runs: Record<Name, Run[]> = {
  'migrate-result': [],
  'verify-result': [],
  'verify-all-result': [],
  'status-result': [],
  'discard-result': [],
  'sync-result': [],
  error: [],
};

beforeAll(async () => {
  await runEverything();
});

test.each(NAMES)('%s.schema.json allows the answers', (name) => {
  const answers = runs[name].map(({ answer }) => answer);
  expect(answers).not.toEqual([]);
  expect(invalidAnswers(['migrate-repo', name], answers)).toEqual([]);
});

test('exit codes: 0 for an answer, 1 where something is left out or unreadable, 2 for a wrong command line', () => {
  const codes = Object.values(runs).flatMap((list) => list.map(({ args, code }) => `${args.slice(0, 2).join(' ')}: ${code}`));
  expect(codes.filter((line) => !line.endsWith(': 0'))).toEqual([
    'good broken: 1',
    'verify --all: 1',
    'verify --all: 1',
    'status --json: 1',
    'sync joined: 1',
    'verify nobody: 1',
    '../left-pad --json: 2',
    'discard merged: 1',
  ]);
});

/** A lockfile with a package that nobody declares. */
const LOCK = '# yarn lockfile v1\n\n\nspare@^1.0.0:\n  version "1.0.0"\n';

/** The lockfile of a monorepo with the workspace `core`, as Yarn writes it. */
const ROOT_LOCK = [
  '__metadata:\n  version: 10\n  cacheKey: 10c0\n',
  lockedWorkspace('core', 'packages/core'),
  lockedWorkspace('monorepo', '.'),
].join('\n');

function lockedWorkspace(name: string, path: string): string {
  const locator = `"${name}@workspace:${path}"`;
  return `${locator}:\n  version: 0.0.0-use.local\n  resolution: ${locator}\n  languageName: unknown\n  linkType: soft\n`;
}

/** Creates a source that Yarn refuses, with a build script and a workflow that runs untrusted code. */
function createRisky(): TempRepo {
  const lock = NPM_3.replace('"version":"2.1.0"}', '"version":"2.1.0","hasInstallScript":true}');
  const workflow = 'on: pull_request_target\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: a\n';
  const manifest = { ...APP, dependencies: { ...APP.dependencies, react: 'catalog:' } };
  return createSource(manifest, { 'package-lock.json': lock, '.github/workflows/a.yml': workflow });
}

/** Runs every command on a monorepo and small repositories, in sequence. */
async function runEverything(): Promise<void> {
  const leftPad = createSource({ name: 'left-pad' }, { 'yarn.lock': '' });
  const merged = createSource({ name: 'merged', dependencies: { core: '^1.0.0', other: '^2.0.0', ms: '^1.0.0' } });
  const ui = createSource({ name: 'mono' });
  ui.commit('Add a library', { files: { 'libs/ui/package.json': formatManifest({ name: '@acme/ui' }) } });
  ui.tag('v2.0.0');
  const good = createSource(
    { name: 'good', resolutions: { spare: '1.0.0' } },
    { '.vscode/settings.json': '{}', 'nx.json': '{}', 'hidden.txt': '', 'uses.js': 'require("spare");\n', 'yarn.lock': LOCK },
  );
  const broken = createSource({ name: 'another-name' });
  const monorepo = cleanUp.add(
    createTempMonorepo({
      packages: { 'packages/core': {}, 'packages/other': { dependencies: { ms: '^2.0.0' } } },
      files: {
        '.gitignore': 'hidden.txt\n',
        'tributary.json': JSON.stringify({ migrate: { packages: { good: { source: good.path }, broken: { source: broken.path } } } }),
      },
    }),
  );
  const call = async (name: Name, args: readonly string[], folder: TempRepo = monorepo, env = {}): Promise<void> => {
    const { code, stdout, stderr } = await runCli('migrate-repo', [...args, '--json'], { cwd: folder.path, env });
    if (!stdout.startsWith('{')) throw new Error(`migrate-repo ${args.join(' ')} gave no document: ${stdout}${stderr}`);
    runs[name].push({ args: [...args, '--json'], code, answer: JSON.parse(stdout) });
  };

  await call('migrate-result', ['left-pad', '--from', leftPad.path, '--dry-run']);
  monorepo.write({ 'not-committed.txt': '' });
  await call('migrate-result', ['left-pad', '--from', leftPad.path]);
  monorepo.write({ 'not-committed.txt': null });
  await call('migrate-result', ['good', 'broken']);
  await call('migrate-result', ['@acme/ui', '--from', ui.path, '--subdirectory', 'libs/ui', '--to', 'elsewhere/ui']);
  await call('migrate-result', ['merged', '--from', merged.path, '--strategy', 'merge', '--no-tags']);
  monorepo.merge('migrate/merged', 'Merge the migration');

  const yarnrc = `enableTelemetry: false\nyarnPath: ${quickYarn(findProjectRoot())}\n`;
  const files = { '.yarnrc.yml': yarnrc, 'yarn.lock': ROOT_LOCK };
  const locked = cleanUp.add(createTempMonorepo({ packages: { 'packages/core': {} }, files }));
  await call('migrate-result', ['left-pad', '--from', leftPad.path], locked);
  for (const lock of [BERRY_4, NPM_3, PNPM_9]) {
    const name = lock.startsWith('{') ? 'package-lock.json' : lock.startsWith('lockfileVersion') ? 'pnpm-lock.yaml' : 'yarn.lock';
    await call('migrate-result', ['app', '--from', createSource(APP, { [name]: lock }).path, '--dry-run'], locked);
  }
  await call('migrate-result', ['app', '--from', createRisky().path, '--dry-run', '--no-install'], locked);
  await call('migrate-result', ['app', '--from', createSource(APP).path, '--dry-run', '--no-align'], locked);

  const moving = await createMovingFixture(cleanUp);
  await call('migrate-result', ['mover', '--from', moving.source.path], moving.monorepo, moving.env);

  await call('verify-result', ['verify', 'left-pad', '--ref', 'migrate/left-pad']);
  await call('verify-result', ['verify', '@acme/ui', '--ref', 'migrate/@acme/ui']);
  await call('verify-result', ['verify', 'merged']);
  await call('verify-result', ['verify', 'merged', '--refetch']);
  const clone = cleanUp.add(TempRepo.cloneOf(monorepo, '--no-tags'));
  await call('verify-result', ['verify', 'left-pad', '--ref', 'origin/migrate/left-pad'], clone);
  clone.git('fetch', '-q', 'origin', 'refs/tags/left-pad@1.0.0:refs/tags/left-pad@1.0.0');
  await call('verify-result', ['verify', 'left-pad', '--ref', 'origin/migrate/left-pad'], clone);

  await lookAtStates(call);

  leftPad.commit('Go on', { files: { 'index.js': '// new' } });
  merged.git('commit', '-q', '--amend', '-m', 'Rewritten');
  good.dispose();
  await call('status-result', ['status']);
  const odd = ['commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-p', 'HEAD~1', '-m', 'Odd\n\nTributary-Import: 2'];
  monorepo.branch('odd', monorepo.git(...odd));
  await call('status-result', ['status']);

  await call('status-result', ['status'], cleanUp.add(TempRepo.cloneOf(monorepo, '--depth=1')));

  await call('discard-result', ['discard', '@acme/ui', '--dry-run']);
  monorepo.git('tag', '-f', 'left-pad@1.0.0', 'migrate/left-pad~1');
  await call('discard-result', ['discard', 'left-pad']);

  await syncEverything(call);

  await call('error', ['verify', 'nobody']);
  await call('error', ['../left-pad']);
  await call('error', ['discard', 'merged']);
}

type Call = (name: Name, args: readonly string[], folder?: TempRepo) => Promise<void>;

/** Creates every state of an import on a branch, in a separate monorepo. */
async function lookAtStates(call: Call): Promise<void> {
  const names = ['kept', 'forwarded', 'moved', 'removed', 'renewed', 'replaced', 'squashed', 'rebased', 'rewritten', 'copied'];
  const sources = new Map(names.map((name) => [name, createSource({ name }, { 'a.js': name, 'b.js': `${name} b`, 'yarn.lock': '' })]));
  const packages = Object.fromEntries([...sources].map(([name, { path }]) => [name, { source: path }]));
  const files = { 'packages/.keep': '', 'libs/.keep': '', 'tributary.json': JSON.stringify({ migrate: { packages } }) };
  const monorepo = cleanUp.add(createTempMonorepo({ packages: { 'packages/core': {} }, files }));
  const bring = (...some: readonly string[]): Promise<void> =>
    call('migrate-result', [...some, '--no-align', '--no-tags', '--branch', `migrate/${some[0]}`], monorepo);
  const commit = (message: string): void => void monorepo.commit(message);
  const remove = (name: string): void => {
    monorepo.git('rm', '-rq', `packages/${name}`);
    commit(`Take ${name} away`);
  };
  const drop = (name: string): void => void monorepo.git('branch', '-q', '-D', `migrate/${name}`);
  await bring('forwarded');
  monorepo.git('merge', '-q', '--ff-only', 'migrate/forwarded');
  await call('verify-result', ['verify', 'forwarded'], monorepo);
  await bring('kept', 'moved', 'removed', 'renewed', 'replaced');
  monorepo.merge('migrate/kept');
  drop('kept');
  monorepo.git('mv', 'packages/moved', 'libs/moved');
  commit('Move');
  for (const name of ['removed', 'renewed', 'replaced']) remove(name);
  monorepo.commit('Replace', { files: { 'packages/replaced/package.json': '{ "name": "replaced" }' } });
  await bring('renewed');
  monorepo.merge('migrate/renewed');
  await call('verify-result', ['verify', 'moved', '--refetch'], monorepo);
  await call('verify-result', ['verify', 'kept', '--source-branch', 'main'], monorepo);
  sources.get('kept')?.git('branch', '-m', 'main', 'trunk');
  await call('verify-result', ['verify', 'kept', '--refetch'], monorepo);

  await bring('rewritten');
  monorepo.git('checkout', '-q', '-b', 'again', 'migrate/rewritten');
  monorepo.git('filter-branch', '-f', '--env-filter', 'export GIT_AUTHOR_NAME=Eve', 'main..again');
  monorepo.checkout('main');
  monorepo.merge('again');
  monorepo.git('branch', '-q', '-D', 'again');
  drop('rewritten');
  await bring('squashed');
  monorepo.git('merge', '-q', '--squash', 'migrate/squashed');
  monorepo.git('commit', '-q', '--no-edit');
  await bring('copied');
  monorepo.git('checkout', 'migrate/copied', '--', 'packages/copied');
  monorepo.commit('Copy', { files: { 'packages/copied/more.js': '' } });
  await bring('rebased');
  monorepo.commit('Meanwhile');
  monorepo.git('checkout', '-q', '-b', 'rebase', 'migrate/rebased');
  monorepo.git('rebase', '-q', 'main');
  monorepo.checkout('main');
  monorepo.git('merge', '-q', '--ff-only', 'rebase');
  monorepo.git('branch', '-q', '-D', 'rebase');
  await call('status-result', ['status'], monorepo);
  await call('verify-all-result', ['verify', '--all'], monorepo);
  drop('rebased');
  await call('status-result', ['status'], monorepo);
  monorepo.branch('odd', monorepo.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-p', 'HEAD~1', '-m', 'Odd\n\nTributary-Import: 99'));
  await call('verify-all-result', ['verify', '--all', '--ref', 'odd'], monorepo);
}

/** Creates every state of a sync with all three methods of proof, in a separate monorepo. */
async function syncEverything(call: Call): Promise<void> {
  const monorepo = cleanUp.add(createTempMonorepo({ packages: { 'packages/core': {} } }));
  const plain = createSource({ name: 'plain' });
  const joined = createSource({ name: 'joined' });
  const folder = createSource({ name: 'mono' });
  folder.commit('Add a library', { files: { 'libs/ui/package.json': formatManifest({ name: 'ui' }) } });
  const bring = async (name: string, source: TempRepo, ...options: readonly string[]): Promise<void> => {
    await call('migrate-result', [name, '--from', source.path, ...options], monorepo);
    monorepo.merge(`migrate/${name}`);
  };
  await bring('plain', plain);
  await bring('joined', joined, '--strategy', 'merge');
  await bring('ui', folder, '--subdirectory', 'libs/ui');
  await call('sync-result', ['sync', 'plain'], monorepo);
  plain.tag('v1.2.0');
  await call('sync-result', ['sync', 'plain'], monorepo);
  plain.git('tag', '--force', 'v1.0.0', 'HEAD');
  for (const source of [plain, joined]) source.commit('Go on', { files: { 'index.js': '// new' } });
  folder.commit('Go on', {
    files: {
      'libs/ui/index.js': '',
      'libs/ui/package.json': formatManifest({ name: 'ui', dependencies: { core: '^1.0.0', ms: '^2.0.0' } }),
    },
  });
  await call('sync-result', ['sync', 'plain', '--dry-run', '--no-align'], monorepo);
  await call('sync-result', ['sync', 'plain'], monorepo);
  await call('sync-result', ['sync', 'joined'], monorepo);
  await call('sync-result', ['sync', 'ui'], monorepo);
  monorepo.git('branch', '-q', '-D', 'sync/joined');
  joined.git('branch', '-q', '-m', 'main', 'trunk');
  monorepo.commit('Change', { files: { 'packages/joined/index.js': '// here' } });
  await call('sync-result', ['sync', 'joined', '--worktree', `${monorepo.path}.conflict`], monorepo);
  await call('status-result', ['status'], monorepo);
  await call('discard-result', ['sync', 'joined', '--abort'], monorepo);
}

/** Creates a repository with two commits and two tags. */
function createSource(manifest: Manifest, files: Files = {}): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'package.json': formatManifest(manifest), ...files } });
  repo.tag('v1.0.0');
  repo.commit('Add code, closes #1', { files: { 'index.js': '' } });
  repo.tag('v1.1.0', { message: 'The second' });
  return repo;
}
