import { parseAbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { createTempMonorepo, formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { published } from './io/yarn.fixture.js';

/** A locked monorepo, and a package with every change that a version can undergo there. */
export interface MovingFixture {
  readonly monorepo: TempRepo;
  /** The repository of the package `mover`. */
  readonly source: TempRepo;
  readonly env: Readonly<Record<string, string>>;
}

const YARN = quickYarn(findProjectRoot());

/**
 * For each package, the range that all manifests declare and the version `mover` has locked. The registry has these
 * versions and those of the monorepo.
 */
const MOVED = {
  major: ['*', '1.0.0'],
  minor: ['^1.0.0', '1.0.0'],
  patch: ['^1.0.0', '1.0.0'],
  pre: ['^1.0.0-rc.0', '1.0.0-rc.1'],
  older: ['^1.0.0', '1.1.0'],
} as const;
const LOCKED = ['major@2.0.0', 'minor@1.1.0', 'patch@1.0.1', 'pre@1.0.0-rc.2', 'older@1.0.0'];

/** Workspaces of the monorepo: the version, the range that `mover` declares, and the version it has locked. */
const LOCAL = {
  'local-major': ['2.0.0', '*', '1.0.0'],
  'local-minor': ['1.1.0', '^1.0.0', '1.0.0'],
  'local-patch': ['1.0.1', '^1.0.0', '1.0.0'],
  'local-pre': ['1.0.0', '^1.0.0-rc.0', '1.0.0-rc.1'],
  'local-older': ['1.0.0', '^1.0.0', '1.2.0'],
} as const;

/** A package that depends on a workspace, and on another copy of a package that `mover` depends on. */
const ASKER = published('asker', '1.0.0', { 'local-minor': '^1.0.0', minor: '^1.0.0' });

const OWN = { wide: '^1.1.0', chosen: '^1.0.0', asker: '^1.0.0' };

export async function createMovingFixture(cleanUp: CleanUp): Promise<MovingFixture> {
  const earlier = Object.entries(MOVED).flatMap(([name, [, version]]) => (name === 'older' ? [] : [`${name}@${version}`]));
  const rest = ['wide@1.2.0', 'chosen@1.0.0', 'chosen@2.0.0', 'local-minor@1.0.0'];
  const packages = [...earlier, ...LOCKED, ...rest].map((one) => published(...(one.split('@') as [string, string])));
  const registry = cleanUp.add(await startRegistry({ packages: [...packages, ASKER] }));
  const env = registryEnvironment(registry.url, parseAbsolutePath(cleanUp.add(createHome()).path));
  const monorepo = cleanUp.add(createLocked());
  await lock(monorepo, env);
  registry.add(published('older', '1.1.0'));
  const source = cleanUp.add(TempRepo.create());
  source.commit('Start', { files: { 'package.json': formatManifest(MOVER), 'package-lock.json': JSON.stringify(lockOfMover()) } });
  return { monorepo, source, env };
}

function createLocked(): TempRepo {
  const local = Object.entries(LOCAL).map(([name, [version]]) => [`packages/${name}`, { name, version }]);
  const dependencies = { ...rangesOf(MOVED), wide: '1', chosen: '^2.0.0' };
  const versions = { exceptions: { chosen: 'workspace' } };
  return createTempMonorepo({
    packages: { ...(Object.fromEntries(local) as Record<string, object>), 'packages/user': { dependencies } },
    files: {
      'yarn.lock': '',
      '.yarnrc.yml': `enableTelemetry: false\nnodeLinker: node-modules\nyarnPath: ${YARN}\n`,
      '.gitignore': 'node_modules\n.yarn\n',
      'tributary.json': JSON.stringify({ migrate: { versions } }),
    },
  });
}

async function lock(monorepo: TempRepo, env: MovingFixture['env']): Promise<void> {
  const args = [YARN, 'install', '--mode=update-lockfile', '--no-immutable'];
  const { code, stdout } = await runProcess(process.execPath, args, { cwd: monorepo.path, env });
  if (code !== 0) throw new Error(stdout);
  monorepo.commit('Lock');
}

function rangesOf(table: Readonly<Record<string, readonly [string, string]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(table).map(([name, [range]]) => [name, range]));
}

const LOCAL_RANGES = Object.fromEntries(Object.entries(LOCAL).map(([name, [, range]]) => [name, range]));
const MOVER = { name: 'mover', version: '1.0.0', dependencies: { ...rangesOf(MOVED), ...LOCAL_RANGES, ...OWN } };

function lockOfMover(): object {
  const moved = Object.fromEntries(Object.entries(MOVED).map(([name, [, version]]) => [name, { version }]));
  const local = Object.fromEntries(Object.entries(LOCAL).map(([name, [, , version]]) => [name, { version }]));
  const own = {
    wide: { version: '1.2.0' },
    chosen: { version: '1.0.0' },
    asker: ASKER.manifest,
    'asker/node_modules/minor': { version: '1.1.0' },
  };
  const nodes = Object.entries({ ...moved, ...local, ...own }).map(([name, node]) => [`node_modules/${name}`, node]);
  return { name: 'mover', lockfileVersion: 3, packages: { '': MOVER, ...(Object.fromEntries(nodes) as object) } };
}
