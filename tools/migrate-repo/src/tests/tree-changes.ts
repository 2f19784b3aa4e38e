import type { ModuleCandidate, TestCandidates, VersionCandidate } from '../result/tests-result.js';
import { compareTexts } from '../text.js';

/** What one package resolves for one of its dependencies or peers. */
export interface InstalledEdge {
  /** The name of the dependent; `undefined` for the tested package. */
  readonly parent: string | undefined;
  readonly name: string;
  /** The versions that copies of the parent resolve; empty if it is missing. */
  readonly versions: ReadonlySet<string>;
  readonly isWorkspace: boolean;
}

/** Edges by `edgeKey`. */
export type InstalledTree = ReadonlyMap<string, InstalledEdge>;

export function edgeKey(parent: string | undefined, name: string): string {
  return `${parent ?? ''}>${name}`;
}

/**
 * Compares what is installed on both sides. Leaves out a dependency that has several versions on one side. Versions are
 * ordered: the package's own dependencies first, then workspaces before others, then by name.
 */
export function compareTrees(before: InstalledTree, after: InstalledTree): TestCandidates {
  const versions: VersionCandidate[] = [];
  const modules: ModuleCandidate[] = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    if (then === undefined) continue;
    const { name } = now;
    const parent = now.parent ?? null;
    const [was, is] = [onlyOf(then.versions), onlyOf(now.versions)];
    if (was !== undefined && is !== undefined) {
      if (was !== is || then.isWorkspace !== now.isWorkspace)
        versions.push({ parent, name, before: was, after: is, isWorkspace: now.isWorkspace });
    } else if (then.versions.size === 0 && now.versions.size > 0) modules.push({ parent, name, now: 'found' });
    else if (then.versions.size > 0 && now.versions.size === 0) modules.push({ parent, name, now: 'missing' });
  }
  return { versions: versions.sort(byWeight), modules };
}

function onlyOf(versions: ReadonlySet<string>): string | undefined {
  const [first, ...others] = versions;
  return others.length === 0 ? first : undefined;
}

function byWeight(one: VersionCandidate, other: VersionCandidate): number {
  const weigh = ({ parent, isWorkspace, name }: VersionCandidate): string =>
    `${parent === null ? 0 : 1}${isWorkspace ? 0 : 1}${name}\0${parent ?? ''}`;
  return compareTexts(weigh(one), weigh(other));
}
