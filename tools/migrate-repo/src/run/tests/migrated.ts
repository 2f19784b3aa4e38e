import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import type { ContainedResult } from '@tributary/process/contained';
import type { Environment } from '@tributary/process/environment';
import type { Member } from '@tributary/workspaces/dependency-graph';
import { checkOut } from '../../io/checkout.js';
import { findYarn } from '../../io/find-yarn.js';
import { hasScript, readInstalledManifest } from '../../io/installed-manifest.js';
import { corepackHome, testEnvironment } from '../../io/test-environment.js';
import type { CommandLine } from '../../tests/package-manager.js';
import { NO_TESTS, PREPARED, type TestRun, testRun } from '../../tests/test-run.js';
import { type Variables, withVariables } from '../../tests/variables.js';
import type { WorkspaceClosures } from '../../tests/workspace-closures.js';
import { WITHOUT_SCRIPTS } from './alone.js';
import { fileName, runStep, type TestBed, type TestSite } from './test-site.js';

/** The branch that is tested. */
export interface MigratedBranch {
  readonly tip: CommitId;
  /** The folder of the project in the repository. */
  readonly root: RepoFolder;
  /** All workspaces. */
  readonly members: readonly Member[];
  readonly closures: WorkspaceClosures;
}

/** A checkout of the branch, installed. */
export interface InstalledBranch {
  /** The root of the project. */
  readonly root: AbsolutePath;
  readonly yarn: CommandLine;
  readonly remarks: readonly string[];
  /** What Yarn said if it could not be installed. */
  readonly failure: TestRun | undefined;
}

/** The owner of the log with the installation of the whole monorepo. */
const MONOREPO = 'monorepo';

/**
 * Tests packages where they are now: in a checkout of the migrated branch that is installed when the first one is asked for. What a package
 * depends on is built before it, in the order of the dependencies. A workspace without a script `build` is built by `prepare`, which npm,
 * pnpm and Yarn 1 run at every installation.
 */
export function openMigrated(site: TestSite, branch: MigratedBranch): TestBed {
  const folder = parseAbsolutePath(join(site.work, 'after'));
  let installed: Promise<InstalledBranch> | undefined;
  const builds = new Map<string, Promise<TestRun | undefined>>();
  return async (name) => {
    installed ??= checkOut(site, branch.tip, folder).then(() => installBranch(site, folder, branch.root));
    return testInstalled(site, branch, { installed: await installed, builds, name });
  };
}

/** Installs a checkout of the branch as it is locked; without scripts where one of them fails. */
export async function installBranch(
  site: TestSite,
  folder: AbsolutePath,
  project: RepoFolder,
  mode: 'immutable' | 'changed' = 'immutable',
): Promise<InstalledBranch> {
  const root = parseAbsolutePath(join(folder, project));
  const { program, args } = await findYarn(root, site.signal);
  const yarn: CommandLine = [program, ...args];
  const env = environmentIn(site, root, MONOREPO);
  const install: CommandLine = [...yarn, 'install', mode === 'immutable' ? '--immutable' : '--no-immutable'];
  const step = { owner: MONOREPO, title: 'after', cwd: root, env };
  const whole = await runStep(site, { ...step, command: install });
  if (whole.ended === 'well') return { root, yarn, remarks: [], failure: undefined };
  const rest = whole.ended === 'badly' ? await runStep(site, { ...step, command: [...install, '--mode=skip-build'] }) : whole;
  const isInstalled = rest.ended === 'well';
  return { root, yarn, remarks: isInstalled ? [WITHOUT_SCRIPTS] : [], failure: isInstalled ? undefined : testRun('install', whole) };
}

/** A package to be tested in an installed checkout. `builds`: what became of each workspace there, by its path. */
export interface InstalledPackage {
  readonly installed: InstalledBranch;
  readonly builds: Map<string, Promise<TestRun | undefined>>;
  readonly name: string;
  /** What its tests get beside all others. */
  readonly variables?: Variables;
}

export async function testInstalled(
  site: TestSite,
  { closures }: MigratedBranch,
  { installed, builds, name, variables = {} }: InstalledPackage,
): Promise<TestRun> {
  const { root, yarn, remarks, failure } = installed;
  if (failure !== undefined) return failure;
  const closure = closures.of(name);
  const passed: TestRun = { ...PREPARED, remarks };
  if (site.level === 'install') return passed;
  for (const path of closure) {
    const building = builds.get(path) ?? build(site, installed, { path, owner: name });
    builds.set(path, building);
    const unbuilt = await building;
    if (unbuilt !== undefined) return unbuilt;
  }
  const folder = parseAbsolutePath(join(root, closure.at(-1) ?? ''));
  if (site.level === 'build') return passed;
  if (!hasScript(folder, 'test')) return NO_TESTS;
  const env = withVariables(environmentIn(site, root, name), variables);
  const run = testRun('test', await runStep(site, { owner: name, title: 'after', command: [...yarn, 'run', 'test'], cwd: folder, env }));
  return { ...run, remarks: [...remarks, ...run.remarks] };
}

/** `undefined` where it was built, or has nothing to build. A script `prepare` does more than to build; only the tests can tell whether its failure matters. */
async function build(
  site: TestSite,
  { root, yarn }: InstalledBranch,
  { path, owner }: { readonly path: string; readonly owner: string },
): Promise<TestRun | undefined> {
  const folder = parseAbsolutePath(join(root, path));
  const script = ['build', 'prepare'].find((one) => hasScript(folder, one));
  if (script === undefined) return undefined;
  const step = {
    owner,
    title: `after, in ${path}`,
    command: [...yarn, 'run', script],
    cwd: folder,
    env: environmentIn(site, root, owner),
  } as const;
  const result: ContainedResult = await runStep(site, step);
  if (result.ended === 'well' || script === 'prepare') return undefined;
  const unbuilt = testRun('build', result);
  return { ...unbuilt, remarks: [...unbuilt.remarks, `The script "build" of ${nameIn(folder)} failed.`] };
}

function nameIn(folder: string): string {
  const name = readInstalledManifest(folder)?.['name'];
  return typeof name === 'string' ? name : folder;
}

/** Each package has a HOME of its own; the Yarn that corepack has fetched for the user serves all. */
export function environmentIn(site: TestSite, root: AbsolutePath, name: string): Environment {
  const [home, temporary] = ['home', 'tmp'].map((below) => parseAbsolutePath(join(site.work, `after-${below}`, fileName(name)))) as [
    AbsolutePath,
    AbsolutePath,
  ];
  const corepack = corepackHome(process.env, { home: homedir(), platform: process.platform });
  return { ...withVariables(testEnvironment({ home, temporary, root }), site.variables), COREPACK_HOME: corepack };
}
