import type { Workspace } from '@tributary/workspaces/discover';
import { type Catalogs, parseSemverRange } from '@tributary/workspaces/ranges';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { asLocation, type InstalledBlock, installedOf, type WorkspaceLocation } from './declared.js';
import type { LockedVersions, OldLock, Project } from './project.js';
import type { Release } from './publishing/release.js';
import { parseSpecifier } from './specifier.js';

/** A workspace asks for versions of a package from a registry. */
export interface Declaration {
  readonly workspace: WorkspaceLocation;
  readonly block: InstalledBlock;
  readonly name: string;
  /** As the manifest has it. */
  readonly range: string;
  /** The versions that are meant: without `npm:`, and what the catalog says for `catalog:`. */
  readonly versions: string;
  readonly from: 'manifest' | 'catalog';
  readonly locked: LockedVersion | undefined;
  /** Whom the range binds: also those who install the package from a registry, or the workspace alone. */
  readonly reach: 'consumers' | 'workspace';
  /** Whether whoever packs the workspace writes versions in the place of `catalog:`. */
  readonly catalogs: 'written out' | 'published as they are';
}

export interface LockedVersion {
  readonly version: string;
  /** The root yarn.lock, or the lockfile that the imported package brought. */
  readonly by: 'root' | 'importedPackage';
}

/**
 * What a workspace declares of third parties, in the order of its manifest. What says of itself where it leads is not among it: paths,
 * addresses, patches, aliases, tags, and catalogs that are not known; nor is anything that has the name of a workspace.
 */
export function declarationsOf(
  workspace: Workspace,
  { project, catalogs, release }: { project: Project; catalogs: Catalogs; release: Pick<Release, 'packer'> },
): readonly Declaration[] {
  const locals = new Set<string>(project.workspaces.map(({ name }) => name));
  return installedOf(workspace).flatMap(({ block, name, range }): readonly Declaration[] => {
    const meant = locals.has(name) ? undefined : versionsMeant(name, range, catalogs);
    if (meant === undefined) return [];
    const request = { name, range, versions: meant.versions };
    const locked = lockedFor(workspace, request, project);
    const reach = block === 'devDependencies' || workspace.manifest.private ? 'workspace' : 'consumers';
    const packed = reach === 'consumers' && release.packer === 'npm' ? 'published as they are' : 'written out';
    return [{ workspace: asLocation(workspace), block, ...request, from: meant.from, locked, reach, catalogs: packed }];
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

/** What a workspace has locked for a request: an imported package by the lockfile that it brought, others by that of the root. */
export function lockedFor(workspace: Workspace, request: Request, { importedPackages, rootLock }: Project): LockedVersion | undefined {
  const importedPackage = importedPackages.find(({ path }) => path === workspace.path);
  return importedPackage === undefined ? lockedByRoot(rootLock, request) : lockedByImportedPackage(importedPackage.oldLock, request);
}

function lockedByRoot(lock: LockedVersions | undefined, { name, versions }: Request): LockedVersion | undefined {
  const version = lock?.resolve(name, versions);
  return version === undefined ? undefined : { version, by: 'root' };
}

/** A range that the lockfile has not seen was declared just now, for the copy that undeclared imports got. */
function lockedByImportedPackage(lock: OldLock | undefined, { name, range, versions }: Request): LockedVersion | undefined {
  if (lock === undefined) return undefined;
  const exact = lock.resolve(name, range) ?? lock.resolve(name, versions);
  const top = [lock.topVersionOf(name) ?? ''].filter((version) => parseSemverRange(versions)?.test(version));
  const version = exact ?? top[0] ?? maxSatisfying([...lock.versionsOf(name)], versions) ?? undefined;
  return version === undefined ? undefined : { version, by: 'importedPackage' };
}
