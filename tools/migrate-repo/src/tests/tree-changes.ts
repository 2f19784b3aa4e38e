/** What one package resolves for one of its dependencies or peers. */
export interface InstalledEdge {
  /** The name of the dependent; `undefined` for the tested package. */
  readonly parent: string | undefined;
  readonly name: string;
  /** The versions that copies of the parent resolve; empty if it is missing. */
  readonly versions: ReadonlySet<string>;
  readonly isWorkspace: boolean;
  readonly isOptional: boolean;
}

/** Edges by `edgeKey`. */
export type InstalledTree = ReadonlyMap<string, InstalledEdge>;

export function edgeKey(parent: string | undefined, name: string): string {
  return `${parent ?? ''}>${name}`;
}

/** A dependency that has another version now, or is a workspace now. */
export interface ChangedVersion {
  readonly parent: string | undefined;
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly isWorkspace: boolean;
}

/** A module that a package finds on one side only. */
export interface ChangedPresence {
  readonly parent: string | undefined;
  readonly name: string;
  readonly now: 'found' | 'missing';
}

export interface TreeChanges {
  /** Ordered: the package's own dependencies first, then workspaces before others, then by name. */
  readonly versions: readonly ChangedVersion[];
  readonly presence: readonly ChangedPresence[];
}

/** Compares what is installed on both sides. Leaves out a dependency that has several versions on one side. */
export function compareTrees(before: InstalledTree, after: InstalledTree): TreeChanges {
  const versions: ChangedVersion[] = [];
  const presence: ChangedPresence[] = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    if (then === undefined) continue;
    const { parent, name } = now;
    const [was, is] = [onlyOf(then.versions), onlyOf(now.versions)];
    if (was !== undefined && is !== undefined) {
      if (was !== is || then.isWorkspace !== now.isWorkspace)
        versions.push({ parent, name, before: was, after: is, isWorkspace: now.isWorkspace });
    } else if (then.versions.size === 0 && now.versions.size > 0) presence.push({ parent, name, now: 'found' });
    else if (then.versions.size > 0 && now.versions.size === 0) presence.push({ parent, name, now: 'missing' });
  }
  return { versions: versions.sort(byWeight), presence };
}

function onlyOf(versions: ReadonlySet<string>): string | undefined {
  const [first, ...others] = versions;
  return others.length === 0 ? first : undefined;
}

function byWeight(one: ChangedVersion, other: ChangedVersion): number {
  const weigh = ({ parent, isWorkspace, name }: ChangedVersion): string =>
    `${parent === undefined ? 0 : 1}${isWorkspace ? 0 : 1}${name}\0${parent ?? ''}`;
  const [left, right] = [weigh(one), weigh(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}
