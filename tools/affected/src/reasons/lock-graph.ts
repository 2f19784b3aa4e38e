import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { LockSide } from '@tributary/workspaces/lock/diff';
import { linksThroughClassic } from '@tributary/workspaces/lock/diff-classic';
import { buildLockGraph, type LockGraph } from '@tributary/workspaces/lock/graph';
import { linksThroughPackages } from '@tributary/workspaces/lock/links';
import type { Snapshot } from '../snapshot.js';
import { withLinks } from './with-links.js';

/** The lockfile of a commit with what is laid over it; `undefined` where there is none. */
export function lockSideOf({ lock, rootManifest, settings, extensions }: Omit<Snapshot, 'graph'>): LockSide | undefined {
  if (lock === undefined) return undefined;
  return {
    index: lock.kind === 'berry' ? lock.index : lock,
    resolutions: rootManifest.resolutions,
    extensions,
    catalogs: settings.catalogs,
  };
}

/** Which entries of the lockfile of a commit depend on which; `undefined` where it cannot tell. */
export function lockGraphOf(snapshot: Omit<Snapshot, 'graph'>): LockGraph | undefined {
  const side = lockSideOf(snapshot);
  return side?.index.kind === 'berry' ? buildLockGraph(side.index, side) : undefined;
}

/**
 * The graph of a snapshot with the edges that lead through third-party packages: where such a package asks for a range that a workspace
 * satisfies, Yarn gives it the workspace, and whoever uses the package depends on the workspace.
 */
export function withPackageLinks({ graph, ...rest }: Snapshot, known?: LockGraph): DependencyGraph {
  const { lock, project, texts } = rest;
  if (lock?.kind === 'classic' && project !== undefined)
    return withLinks(graph, linksThroughClassic({ text: texts['yarn.lock'] ?? '', workspaces: project.workspaces }));
  const lockGraph = known ?? lockGraphOf(rest);
  const locked = lock?.kind === 'berry' ? lock.graph : graph;
  return lockGraph === undefined ? graph : withLinks(graph, linksThroughPackages(lockGraph), locked);
}
