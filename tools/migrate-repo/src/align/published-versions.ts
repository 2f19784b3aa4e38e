import type { InternalConfig } from '@tributary/model/config';
import type { Workspace } from '@tributary/workspaces/discover';
import { WorkspaceIndex } from '@tributary/workspaces/ranges';
import { lockedFor } from './declarations.js';
import { type Declared, installedOf, newFolders } from './declared.js';
import type { Monorepo } from './project.js';
import { parseSpecifier } from './specifier.js';
import { builtElsewhere, missingEntry } from './unbuilt.js';

/** The registry's versions of a package. `why`: it was not asked, or did not answer. */
export type PublishedVersions = { readonly versions: readonly string[] } | { readonly why: string };

/** By name, for each of `unlockedNames`. */
export type PublishedPackages = ReadonlyMap<string, PublishedVersions>;

/**
 * Returns the packages for which the registry must be asked. They are imported, or an imported package requires them;
 * they must be built first; and no lockfile shows that the registry has them. Each once, in the order of the
 * workspaces.
 */
export function unlockedNames(project: Monorepo, choices: Pick<InternalConfig, 'convert'>, scripts: 'run' | 'refuse'): readonly string[] {
  const mayBeBuilt = scripts === 'run' || choices.convert === 'all';
  const { byName } = new WorkspaceIndex(project.workspaces, { transparentWorkspaces: 'on' });
  const isNew = newFolders(project);
  const names = project.workspaces.flatMap((from) =>
    installedOf(from).flatMap((declared): readonly string[] => {
      const to = byName.get(declared.name);
      const isConcerned = to !== undefined && to !== from && (isNew.has(from.path) || isNew.has(to.path));
      return isConcerned && isUnlocked(from, declared, project) && mayBePublished(to, project, mayBeBuilt) ? [declared.name] : [];
    }),
  );
  return [...new Set(names)];
}

function isUnlocked(from: Workspace, declared: Declared, project: Monorepo): boolean {
  const specifier = parseSpecifier(declared.range);
  return specifier.kind === 'range' && lockedFor(from, { ...declared, versions: specifier.text }, project) === undefined;
}

function mayBePublished(to: Workspace, { files }: Monorepo, mayBeBuilt: boolean): boolean {
  return !to.manifest.private && (mayBeBuilt ? builtElsewhere(to, files) : missingEntry(to, files)) !== undefined;
}

/** Whether the registry has a version for a request that no lockfile has; `unknown` if it could not be asked. */
export function isPublished({ name, range }: Pick<Declared, 'name' | 'range'>, published: PublishedPackages): 'yes' | 'no' | 'unknown' {
  const specifier = parseSpecifier(range);
  const found = published.get(name);
  if (found === undefined || specifier.kind !== 'range') return 'no';
  if ('why' in found) return 'unknown';
  return found.versions.some((version) => specifier.range.test(version)) ? 'yes' : 'no';
}
