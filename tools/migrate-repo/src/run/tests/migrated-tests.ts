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
import { PREPARED, type TestRun, testRun } from '../../tests/test-run.js';
import { withVariables } from '../../tests/variables.js';
import type { WorkspaceClosures } from '../../tests/workspace-closures.js';
import { WITHOUT_SCRIPTS } from './source-tests.js';
import { fileName, findNoTests, runStep, runTests, type TestBed, type TestSettings } from './test-steps.js';

/** The branch to test. */
export interface MigratedBranch {
  readonly tip: CommitId;
  /** The folder of the project in the repository. */
  readonly root: RepoFolder;
  /** All workspaces. */
  readonly members: readonly Member[];
  readonly closures: WorkspaceClosures;
}

/** An installed checkout of the branch. */
interface InstalledBranch {
  /** The root of the project. */
  readonly root: AbsolutePath;
  readonly yarn: CommandLine;
  readonly remarks: readonly string[];
  /** Yarn's output if the installation failed. */
  readonly failure: TestRun | undefined;
}

/** The owner of the log of the whole monorepo's installation. */
const MONOREPO = 'monorepo';

/**
 * Tests packages in a checkout of the migrated branch. The first test installs it. Dependencies are built first, in
 * order. A workspace without a script `build` is built by `prepare`, which npm, pnpm and Yarn 1 run at every
 * installation.
 */
export function openMigratedTests(settings: TestSettings, branch: MigratedBranch): TestBed {
  const folder = parseAbsolutePath(join(settings.work, 'after'));
  let installing: Promise<InstalledBranch> | undefined;
  const installed = (): Promise<InstalledBranch> => {
    installing ??= checkOut(settings, branch.tip, folder).then(() => installBranch(settings, folder, branch.root));
    return installing;
  };
  const builds = new Map<string, Promise<TestRun | undefined>>();
  return async (name) => testInstalled(settings, branch, { installed: await installed(), builds, name });
}

/** Installs a checkout of the branch from its lockfile; without scripts if one of them fails. */
async function installBranch(settings: TestSettings, folder: AbsolutePath, project: RepoFolder): Promise<InstalledBranch> {
  const root = parseAbsolutePath(join(folder, project));
  const { program, args } = await findYarn(root, settings.signal);
  const yarn: CommandLine = [program, ...args];
  const env = environmentIn(settings, root, MONOREPO);
  const install: CommandLine = [...yarn, 'install', '--immutable'];
  const step = { owner: MONOREPO, title: 'after', cwd: root, env };
  const whole = await runStep(settings, { ...step, command: install });
  if (whole.ended === 'well') return { root, yarn, remarks: [], failure: undefined };
  const rest = whole.ended === 'badly' ? await runStep(settings, { ...step, command: [...install, '--mode=skip-build'] }) : whole;
  const isInstalled = rest.ended === 'well';
  return { root, yarn, remarks: isInstalled ? [WITHOUT_SCRIPTS] : [], failure: isInstalled ? undefined : testRun('install', whole) };
}

/** A package to test in an installed checkout. `builds`: the build result of each workspace, by path. */
interface InstalledPackage {
  readonly installed: InstalledBranch;
  readonly builds: Map<string, Promise<TestRun | undefined>>;
  readonly name: string;
}

async function testInstalled(
  settings: TestSettings,
  { closures }: MigratedBranch,
  { installed, builds, name }: InstalledPackage,
): Promise<TestRun> {
  const { root, yarn, remarks, failure } = installed;
  if (failure !== undefined) return failure;
  const closure = closures.of(name);
  const passed: TestRun = { ...PREPARED, remarks };
  if (settings.level === 'install') return passed;
  for (const path of closure) {
    const building = builds.get(path) ?? build(settings, installed, { path, owner: name });
    builds.set(path, building);
    const unbuilt = await building;
    if (unbuilt !== undefined) return unbuilt;
  }
  const folder = parseAbsolutePath(join(root, closure.at(-1) ?? ''));
  if (settings.level === 'build') return passed;
  const none = findNoTests(settings, folder);
  if (none !== undefined) return none;
  const env = environmentIn(settings, root, name);
  return runTests(settings, { owner: name, title: 'after', command: [...yarn, 'run', settings.script], cwd: folder, env }, remarks);
}

/**
 * Returns `undefined` if the build succeeded, or there is nothing to build. A script `prepare` does more than build, so
 * only the tests show whether its failure matters.
 */
async function build(
  settings: TestSettings,
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
    env: environmentIn(settings, root, owner),
  } as const;
  const result: ContainedResult = await runStep(settings, step);
  if (result.ended === 'well' || script === 'prepare') return undefined;
  const unbuilt = testRun('build', result);
  return { ...unbuilt, remarks: [...unbuilt.remarks, `The script "build" of ${nameIn(folder)} failed.`] };
}

function nameIn(folder: string): string {
  const name = readInstalledManifest(folder)?.['name'];
  return typeof name === 'string' ? name : folder;
}

/** Returns the environment of a package. Each package has its own HOME, but all share the Yarn that corepack fetched for the user. */
function environmentIn(settings: TestSettings, root: AbsolutePath, name: string): Environment {
  const [home, temporary] = ['home', 'tmp'].map((below) => parseAbsolutePath(join(settings.work, `after-${below}`, fileName(name)))) as [
    AbsolutePath,
    AbsolutePath,
  ];
  const corepack = corepackHome(process.env, { home: homedir(), platform: process.platform });
  return { ...withVariables(testEnvironment({ home, temporary, root }), settings.variables), COREPACK_HOME: corepack };
}
