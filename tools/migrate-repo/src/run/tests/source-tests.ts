import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCKFILE_NAMES } from '@tributary/lockfile/lockfile';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { ContainedResult } from '@tributary/process/contained';
import type { Environment } from '@tributary/process/environment';
import { readTextFile } from '@tributary/process/unusable-file';
import { checkOut } from '../../io/checkout.js';
import { findYarnRelease } from '../../io/find-yarn.js';
import { hasScript } from '../../io/installed-manifest.js';
import { removeFolder } from '../../io/remove-folder.js';
import { testEnvironment } from '../../io/test-environment.js';
import { managerOf, type SourcePackageManager } from '../../tests/package-manager.js';
import { PREPARED, type TestRun, testRun } from '../../tests/test-run.js';
import { withVariables } from '../../tests/variables.js';
import { fileName, findNoTests, runStep, runTests, type TestBed, type TestSettings } from './test-steps.js';

/** The source to test before: a package at the migrated commit. */
export interface TestedSource {
  readonly name: string;
  readonly commit: CommitId;
  readonly subdirectory: string | undefined;
}

/** Tests packages as their maintainers do. */
export interface SourceTests {
  readonly test: TestBed;
  /** Removes the files of a package that is not tested again. */
  readonly close: (name: string) => void;
}

interface Prepared {
  readonly folder: AbsolutePath;
  readonly env: Environment;
  readonly manager: SourcePackageManager;
  /** The result that ended the preparation; `undefined` if it is ready. */
  readonly failure: TestRun | undefined;
  readonly remarks: readonly string[];
}

/** Each package is in its own repository, installed from its lockfile by its own package manager. */
export function openSourceTests(settings: TestSettings, sources: readonly TestedSource[]): SourceTests {
  const ready = new Map<string, Promise<Prepared>>();
  const prepared = (name: string): Promise<Prepared> => {
    const source = sources.find((one) => one.name === name);
    if (source === undefined) throw new Error(`${name} was not migrated`);
    const known = ready.get(name) ?? prepare(settings, source);
    ready.set(name, known);
    return known;
  };
  return {
    test: async (name) => test(settings, name, await prepared(name)),
    close: (name) => {
      ready.delete(name);
      try {
        removeFolder(placeOf(settings, name));
      } catch {
        // Tests may have left folders without write permission. Everything is removed at the end, with a warning if that fails.
      }
    },
  };
}

async function test(settings: TestSettings, name: string, { folder, env, manager, failure, remarks }: Prepared): Promise<TestRun> {
  if (failure !== undefined) return failure;
  if (settings.level !== 'test') return { ...PREPARED, remarks };
  const none = findNoTests(settings, folder);
  if (none !== undefined) return none;
  return runTests(settings, { owner: name, title: 'before', command: [...manager.run, settings.script], cwd: folder, env }, remarks);
}

async function prepare(settings: TestSettings, { name, commit, subdirectory }: TestedSource): Promise<Prepared> {
  const place = placeOf(settings, name);
  const repository = parseAbsolutePath(join(place, 'source'));
  await checkOut(settings, commit, repository);
  const folder = parseAbsolutePath(join(repository, subdirectory ?? ''));
  const root = lockedFolder(folder, repository);
  const read = (file: string): string | undefined => (existsSync(join(root, file)) ? readTextFile(join(root, file)) : undefined);
  const manager = managerOf({ read, yarnRelease: findYarnRelease(root), node: process.execPath });
  const [home, temporary] = ['home', 'tmp'].map((below) => parseAbsolutePath(join(place, below))) as [AbsolutePath, AbsolutePath];
  const env = withVariables(testEnvironment({ home, temporary, root }), settings.variables);
  const { outcome, remarks } = await install(settings, { name, root, env, manager });
  const ready = { folder, env, manager, remarks, failure: outcome.ended === 'well' ? undefined : testRun('install', outcome) };
  if (ready.failure !== undefined || settings.level === 'install' || !hasScript(folder, 'build')) return ready;
  const built = await runStep(settings, { owner: name, title: 'before', command: [...manager.run, 'build'], cwd: folder, env });
  return built.ended === 'well' ? ready : { ...ready, failure: testRun('build', built) };
}

/** Installs a package. If an install script fails on this machine, repeats without scripts. */
async function install(
  settings: TestSettings,
  { name, root, env, manager }: { readonly name: string; readonly root: AbsolutePath } & Pick<Prepared, 'env' | 'manager'>,
): Promise<{ readonly outcome: ContainedResult; readonly remarks: readonly string[] }> {
  const step = { owner: name, title: 'before', cwd: root, env };
  const whole = await runStep(settings, { ...step, command: manager.install });
  if (whole.ended !== 'badly') return { outcome: whole, remarks: [] };
  const rest = await runStep(settings, { ...step, command: manager.installWithoutScripts });
  return rest.ended === 'well' ? { outcome: rest, remarks: [WITHOUT_SCRIPTS] } : { outcome: whole, remarks: [] };
}

/** The remark if only an installation without scripts succeeds. */
export const WITHOUT_SCRIPTS = 'Installed without scripts: one of them fails on this machine.';

/** Returns the folder of the lockfile for a package: its own, else the nearest one above. */
function lockedFolder(folder: AbsolutePath, top: AbsolutePath): AbsolutePath {
  for (let at: string = folder; ; at = dirname(at)) {
    if (LOCKFILE_NAMES.some((lock) => existsSync(join(at, lock)))) return parseAbsolutePath(at);
    if (at === top) return folder;
  }
}

function placeOf({ work }: TestSettings, name: string): AbsolutePath {
  return parseAbsolutePath(join(work, 'before', fileName(name)));
}
