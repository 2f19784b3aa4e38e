import type { WorkspaceName } from '@tributary/model/ids';
import type { Manifest } from '@tributary/workspaces/manifest';

/** A package and the names of its dependencies, of any kind. */
export interface OrderedPackage {
  readonly name: WorkspaceName;
  readonly dependsOn: ReadonlySet<string>;
}

/**
 * Orders the imported packages, dependencies first, regardless of ranges; by name where the order is free and inside a
 * cycle. The graph of the workspaces cannot be used, because it has an edge only where Yarn would link.
 */
export function orderImportedPackages<T extends OrderedPackage>(importedPackages: readonly T[]): T[] {
  const sorted = [...importedPackages].sort((a, b) => (a.name < b.name ? -1 : 1));
  const placed = new Set<T>();
  const path = new Set<T>();
  const place = (importedPackage: T): void => {
    if (placed.has(importedPackage) || path.has(importedPackage)) return;
    path.add(importedPackage);
    for (const other of sorted) if (importedPackage.dependsOn.has(other.name)) place(other);
    path.delete(importedPackage);
    placed.add(importedPackage);
  };
  for (const importedPackage of sorted) place(importedPackage);
  return [...placed];
}

/** Returns the packages that need a missing one, directly or indirectly, each with the first package on the way to it. */
export function findStranded<T extends OrderedPackage>(
  importedPackages: readonly T[],
  missing: Iterable<WorkspaceName>,
): Map<T, WorkspaceName> {
  const gone = new Set(missing);
  const stranded = new Map<T, WorkspaceName>();
  for (let before = -1; before !== stranded.size; ) {
    before = stranded.size;
    for (const importedPackage of importedPackages) {
      const dependency = [...gone].find((name) => importedPackage.dependsOn.has(name) && name !== importedPackage.name);
      if (stranded.has(importedPackage) || dependency === undefined) continue;
      stranded.set(importedPackage, dependency);
      gone.add(importedPackage.name);
    }
  }
  return stranded;
}

/** Returns the names of all dependencies in a manifest. */
export function namesIn(manifest: Manifest): ReadonlySet<string> {
  return new Set(blocksOf(manifest).flatMap((block) => [...block.keys()]));
}

/** Returns the ranges in which a manifest has a dependency. */
export function rangesIn(manifest: Manifest, name: string): readonly string[] {
  return blocksOf(manifest).flatMap((block) => block.get(name) ?? []);
}

function blocksOf({ dependencies, devDependencies, peerDependencies, optionalDependencies }: Manifest) {
  return [dependencies, devDependencies, peerDependencies, optionalDependencies];
}
