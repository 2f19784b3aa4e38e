import type { Workspace } from '@tributary/workspaces/discover';
import { type Catalogs, parseSemverRange } from '@tributary/workspaces/ranges';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { asLocation, type InstalledBlock, installedOf, type WorkspaceLocation } from './declared.js';
import type { LockedVersions, Monorepo, OldLock } from './project.js';
import type { PackageRelease } from './publishing/release.js';
import { parseSpecifier } from './specifier.js';

/** A request of a workspace for versions of a package from a registry. */
export interface Declaration {
  readonly workspace: WorkspaceLocation;
  readonly block: InstalledBlock;
  /** Whether only the development of the workspace uses it: a development dependency that is no peer. */
  readonly isTool: boolean;
  readonly name: string;
  /** As in the manifest. */
  readonly range: string;
  /** The range of versions, without `npm:`; for `catalog:`, the catalog's range. */
  readonly versions: string;
  readonly from: 'manifest' | 'catalog';
  readonly locked: LockedVersion | undefined;
  /** Who is bound by the range: also consumers who install the package from a registry, or only the workspace. */
  readonly reach: 'consumers' | 'workspace';
  /** Whether packing the workspace replaces `catalog:` with versions. */
  readonly catalogs: 'written out' | 'published as they are';
}

export interface LockedVersion {
  readonly version: string;
  /** The root yarn.lock, or the imported package's own lockfile. */
  readonly by: 'root' | 'importedPackage';
}

/**
 * Returns the third-party dependencies that a workspace declares, in the order of its manifest. Omits ranges that are
 * not versions (paths, addresses, patches, aliases, tags and unknown catalogs), and names of workspaces.
 */
export function declarationsOf(
  workspace: Workspace,
  { project, catalogs, release }: { project: Monorepo; catalogs: Catalogs; release: Pick<PackageRelease, 'packer'> },
): readonly Declaration[] {
  const locals = new Set<string>(project.workspaces.map(({ name }) => name));
  return installedOf(workspace).flatMap(({ block, name, range }): readonly Declaration[] => {
    const meant = locals.has(name) ? undefined : versionsMeant(name, range, catalogs);
    if (meant === undefined) return [];
    const request = { name, range, versions: meant.versions };
    const locked = lockedFor(workspace, request, project);
    const isTool = block === 'devDependencies' && !workspace.manifest.peerDependencies.has(name);
    const reach = block === 'devDependencies' || workspace.manifest.private ? 'workspace' : 'consumers';
    const packed = reach === 'consumers' && release.packer === 'npm' ? 'published as they are' : 'written out';
    return [{ workspace: asLocation(workspace), block, isTool, ...request, from: meant.from, locked, reach, catalogs: packed }];
  });
}

function versionsMeant(name: string, range: string, catalogs: Catalogs): Pick<Declaration, 'versions' | 'from'> | undefined {
  const specifier = parseSpecifier(range);
  if (specifier.kind === 'range') return { versions: specifier.text, from: 'manifest' };
  const entry = specifier.kind === 'catalog' ? catalogs.get(specifier.catalog)?.get(name) : undefined;
  const meant = entry === undefined ? undefined : parseSpecifier(entry);
  return meant?.kind === 'range' ? { versions: meant.text, from: 'catalog' } : undefined;
}

type Request = Pick<Declaration, 'name' | 'range' | 'versions'>;

/** Returns the locked version for a request of a workspace: for an imported package from its own lockfile, for others from the root's. */
export function lockedFor(workspace: Workspace, request: Request, { importedPackages, rootLock }: Monorepo): LockedVersion | undefined {
  const importedPackage = importedPackages.find(({ path }) => path === workspace.path);
  return importedPackage === undefined ? lockedByRoot(rootLock, request) : lockedByImportedPackage(importedPackage.oldLock, request);
}

function lockedByRoot(lock: LockedVersions | undefined, { name, versions }: Request): LockedVersion | undefined {
  const version = lock?.resolve(name, versions);
  return version === undefined ? undefined : { version, by: 'root' };
}

/**
 * Returns the locked version for a request. A range that the lockfile does not have was declared by this run, for the
 * copy that undeclared imports used.
 */
function lockedByImportedPackage(lock: OldLock | undefined, { name, range, versions }: Request): LockedVersion | undefined {
  if (lock === undefined) return undefined;
  const exact = lock.resolve(name, range) ?? lock.resolve(name, versions);
  const top = [lock.topVersionOf(name) ?? ''].filter((version) => parseSemverRange(versions)?.test(version));
  const version = exact ?? top[0] ?? maxSatisfying([...lock.versionsOf(name)], versions) ?? undefined;
  return version === undefined ? undefined : { version, by: 'importedPackage' };
}
