import { nameOf } from '@tributary/lockfile/descriptors';
import { ToolError } from '@tributary/model/errors';
import { isInside, type RepoPath } from '@tributary/model/paths';
import { findCatalogRange } from './catalog-range.js';
import { codeOf, type PackageCode } from './code-of.js';
import { installedOf } from './declared.js';
import { resolutionsIn } from './lock/survival.js';
import type { Monorepo } from './project.js';

/** A dependency that runs code while Yarn installs it, regardless of `enableScripts` and the installation's mode. */
export interface CodeRunner {
  /** The dependent, such as `app (packages/app)`. */
  readonly by: string;
  readonly name: string;
  /** As requested. */
  readonly range: string;
  readonly kind: PackageCode;
}

/**
 * Returns imported dependencies that run code: dependencies in manifests, overrides carried to the root, and indirect
 * git dependencies in the old lockfiles. Those that the monorepo has locked already are omitted. `before`: the project
 * before the alignment. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`.
 */
export function findCodeRunners(project: Monorepo, before: Monorepo): readonly CodeRunner[] {
  const known = resolutionsIn(project.files.read('yarn.lock' as RepoPath) ?? '');
  const found = [...ofManifests(project), ...ofOverrides(project, before), ...ofLockfiles(project)];
  const isKnown = ({ name, range, kind }: CodeRunner): boolean => kind === 'git' && known.has(`${name}@${range}`);
  return [...new Map(found.filter((one) => !isKnown(one)).map((one) => [JSON.stringify(one), one])).values()];
}

function ofManifests(project: Monorepo): readonly CodeRunner[] {
  const isNew = (path: string): boolean => project.importedPackages.some((importedPackage) => isInside(path, importedPackage.path));
  return project.workspaces
    .filter(({ path }) => isNew(path))
    .flatMap((workspace) =>
      installedOf(workspace).flatMap(({ name, range: declared }) => {
        const range = findCatalogRange(project, name, declared) ?? declared;
        return runner({ by: `${workspace.name} (${workspace.path})`, name, range });
      }),
    );
}

/** Returns overrides that run code. At the root, an override applies to registry packages too. */
function ofOverrides({ workspaces: [now] }: Monorepo, { workspaces: [then] }: Monorepo): readonly CodeRunner[] {
  const old = new Map(then?.manifest.resolutions);
  const added = [...(now?.manifest.resolutions ?? [])].filter(([key, range]) => old.get(key) !== range);
  return added.flatMap(([key, range]) => runner({ by: '"resolutions" of the root', name: key, range }));
}

function ofLockfiles({ importedPackages }: Monorepo): readonly CodeRunner[] {
  return importedPackages.flatMap(({ name: owner, path, oldLock }) =>
    (oldLock?.packed ?? []).flatMap(({ name, range }) => runner({ by: `a dependency of ${owner} (${path})`, name, range })),
  );
}

function runner(one: Omit<CodeRunner, 'kind'>): readonly CodeRunner[] {
  const kind = codeOf(one.range);
  return kind === undefined ? [] : [{ ...one, kind }];
}

/** Returns entries of a lockfile that run code and are new. Throws `LOCKFILE_INVALID`. */
export function findNewCode(before: string, after: string): readonly CodeRunner[] {
  const old = new Set([...resolutionsIn(before).values()].map(({ resolution }) => resolution));
  const added = [...resolutionsIn(after).values()].map(({ resolution }) => resolution).filter((resolution) => !old.has(resolution));
  return [...new Set(added)].flatMap((resolution) => {
    const name = nameOf(resolution);
    return runner({ by: 'an imported package', name, range: resolution.slice(name.length + 1) });
  });
}

/** Whether a lockfile has packages from git repositories. Throws `LOCKFILE_INVALID`. */
export function hasGitPackages(lock: string): boolean {
  return findNewCode('', lock).some(({ kind }) => kind === 'git');
}

const SHOWN = 5;

/** Throws `INSTALL_RUNS_CODE` if there are any. */
export function refuseCode(found: readonly CodeRunner[]): void {
  if (found.length === 0) return;
  const list = found.slice(0, SHOWN).map(({ by, name, range }) => `${by} requires ${name} ${JSON.stringify(range)}`);
  const more = found.length > SHOWN ? `; and ${found.length - SHOWN} more` : '';
  throw new ToolError({
    code: 'INSTALL_RUNS_CODE',
    message: `An installation would run code of the imported packages: ${list.join('; ')}${more}.`,
    hint: RUNS_CODE_HINT,
    data: { runs: found },
  });
}

export const RUNS_CODE_HINT =
  'Yarn runs the scripts of git dependencies to pack them, and runs the code that "exec:" names. Read that code, then allow it with --run-scripts. Or import the packages with --no-install.';
