import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { LockSide } from '@tributary/workspaces/lock/diff';
import { linksThroughClassic } from '@tributary/workspaces/lock/diff-classic';
import { buildLockGraph, type LockGraph } from '@tributary/workspaces/lock/graph';
import { linksThroughPackages } from '@tributary/workspaces/lock/links';
import type { Snapshot } from '../snapshot.js';
import { withLinks } from './with-links.js';

/** Returns the lockfile of a commit with the settings that apply to it; `undefined` if there is no lockfile. */
export function lockSideOf({ lock, rootManifest, settings, extensions }: Omit<Snapshot, 'graph'>): LockSide | undefined {
  if (lock === undefined) return undefined;
  return {
    index: lock.kind === 'berry' ? lock.index : lock,
    resolutions: rootManifest.resolutions,
    extensions,
    catalogs: settings.catalogs,
  };
}

/** Returns the dependencies between entries of a commit's lockfile; `undefined` if it does not contain them. */
export function lockGraphOf(snapshot: Omit<Snapshot, 'graph'>): LockGraph | undefined {
  const side = lockSideOf(snapshot);
  return side?.index.kind === 'berry' ? buildLockGraph(side.index, side) : undefined;
}

/**
 * Returns the graph of a snapshot with the edges that lead through third-party packages. If such a package requires a range that a
 * workspace satisfies, Yarn links the workspace. So every dependent of the package depends on the workspace.
 */
export function withPackageLinks({ graph, ...rest }: Snapshot, known?: LockGraph): DependencyGraph {
  const { lock, project, texts } = rest;
  if (lock?.kind === 'classic' && project !== undefined)
    return withLinks(graph, linksThroughClassic({ text: texts['yarn.lock'] ?? '', workspaces: project.workspaces }));
  const lockGraph = known ?? lockGraphOf(rest);
  const locked = lock?.kind === 'berry' ? lock.graph : graph;
  return lockGraph === undefined ? graph : withLinks(graph, linksThroughPackages(lockGraph), locked);
}
