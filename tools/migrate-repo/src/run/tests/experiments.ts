import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plumbing } from '@tributary/git/git';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Environment } from '@tributary/process/environment';
import { checkOut } from '../../io/checkout.js';
import { removeFolder } from '../../io/remove-folder.js';
import type { TestRun } from '../../tests/test-run.js';
import type { Variables } from '../../tests/variables.js';
import { environmentIn, type InstalledBranch, installBranch, type MigratedBranch, testInstalled } from './migrated.js';
import type { TestSite } from './test-site.js';
import { variablesOf } from './variables-of.js';

/** A change in a checkout of the branch, to find out why tests fail. */
export interface Experiment {
  /** Added to `resolutions` of the root: `"app/lib": "npm:1.0.0"`. */
  readonly resolutions?: Readonly<Record<string, string>>;
  /** Folders of workspaces whose dependencies stay in their own node_modules. */
  readonly unhoisted?: readonly string[];
  /** `own`: the package is in its own repository again. */
  readonly repository?: 'own';
  /** Additional variables for its tests. */
  readonly variables?: Variables;
  /** `npm`: npm runs its scripts, and sets more variables than Yarn. */
  readonly runner?: 'npm';
}

/** A separate checkout for experiments, one after the other. */
export interface Laboratory {
  /** Runs the tests of a package with a change. Throws as `runContained`. */
  readonly attempt: (name: string, experiment: Experiment) => Promise<TestRun>;
  /** Installs the unchanged branch, and returns the root of the project. */
  readonly install: () => Promise<AbsolutePath>;
  /** Returns the variables with which Yarn runs the script `test`; `undefined` if it runs none. */
  readonly variables: (name: string) => Promise<Environment | undefined>;
}

export function openLaboratory(site: TestSite, branch: MigratedBranch): Laboratory {
  const folder = parseAbsolutePath(join(site.work, 'experiment'));
  const root = parseAbsolutePath(join(folder, branch.root));
  let installed: { readonly as: string; readonly result: InstalledBranch } | undefined;
  const installAs = async (experiment: Experiment): Promise<InstalledBranch> => {
    const as = JSON.stringify([experiment.resolutions ?? {}, experiment.unhoisted ?? []]);
    if (installed === undefined) await checkOut(site, branch.tip, folder);
    if (installed?.as === as) return installed.result;
    await reset(site, folder);
    change(root, experiment);
    const result = await installBranch(site, folder, branch.root, as === '[{},[]]' ? 'immutable' : 'changed');
    installed = { as, result };
    return result;
  };
  const folderOf = (name: string): string => join(root, branch.closures.of(name).at(-1) ?? '');
  const attempt = async (name: string, experiment: Experiment): Promise<TestRun> => {
    const result = await installAs(experiment);
    const own = folderOf(name);
    if (experiment.repository === 'own') createRepository(own);
    try {
      const runner = experiment.runner === 'npm' ? { ...result, yarn: ['npm'] as const } : result;
      return await testInstalled(site, branch, { installed: runner, builds: new Map(), name, variables: experiment.variables ?? {} });
    } finally {
      if (experiment.repository === 'own') removeFolder(parseAbsolutePath(join(own, '.git')));
    }
  };
  const variables = async (name: string): Promise<Environment | undefined> => {
    const { yarn } = await installAs({});
    const cwd = parseAbsolutePath(folderOf(name));
    return variablesOf(site, { owner: name, command: [...yarn, 'run', 'test'], cwd, env: environmentIn(site, root, name) });
  };
  return { attempt, install: async () => (await installAs({})).root, variables };
}

/** Restores tracked files to the commit. */
async function reset(site: TestSite, folder: AbsolutePath): Promise<void> {
  const git = plumbing(parseAbsolutePath(join(folder, '.git')), { signal: site.signal });
  await git.text([`--work-tree=${folder}`, 'checkout', '--quiet', '--force', 'HEAD', '--', '.']);
}

function change(root: AbsolutePath, { resolutions = {}, unhoisted = [] }: Experiment): void {
  if (Object.keys(resolutions).length > 0)
    editManifest(root, (manifest) => ({ ...manifest, resolutions: { ...blockOf(manifest, 'resolutions'), ...resolutions } }));
  for (const path of unhoisted)
    editManifest(join(root, path), (manifest) => ({
      ...manifest,
      installConfig: { ...blockOf(manifest, 'installConfig'), hoistingLimits: 'workspaces' },
    }));
}

type Manifest = Readonly<Record<string, unknown>>;

function editManifest(folder: string, edit: (manifest: Manifest) => Manifest): void {
  const file = join(folder, 'package.json');
  writeFileSync(file, `${JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')) as Manifest), null, 2)}\n`);
}

function blockOf(manifest: Manifest, key: string): Manifest {
  const block = manifest[key];
  return isPlainObject(block) ? block : {};
}

/** Creates an empty repository, so that programs that look for a root find one. */
function createRepository(folder: string): void {
  for (const below of ['objects', 'refs']) mkdirSync(join(folder, '.git', below), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}
