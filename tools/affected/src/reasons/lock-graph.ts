import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyEdge, type DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { LockSide } from '@tributary/workspaces/lock/diff';
import { linksThroughClassic } from '@tributary/workspaces/lock/diff-classic';
import { buildLockGraph, type LockGraph } from '@tributary/workspaces/lock/graph';
import { linksThroughPackages, type PackageLink } from '@tributary/workspaces/lock/links';
import type { Snapshot } from '../snapshot.js';

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

/** Returns the graph of a snapshot with the edges that lead through third-party packages. */
export function withPackageLinks(snapshot: Snapshot): DependencyGraph {
  const { members, edges } = snapshot.graph;
  return buildGraph(members, [...edges, ...packageLinks(snapshot)]);
}

/**
 * Returns the edges of a snapshot that lead through third-party packages. If such a package requires a range that a workspace satisfies,
 * Yarn links the workspace. So every dependent of the package depends on the workspace.
 */
export function packageLinks({ graph, ...rest }: Snapshot, known?: LockGraph): readonly DependencyEdge[] {
  const { lock, project, texts } = rest;
  if (lock?.kind === 'classic' && project !== undefined)
    return edgesOf(graph, linksThroughClassic({ text: texts['yarn.lock'] ?? '', workspaces: project.workspaces }));
  const lockGraph = known ?? lockGraphOf(rest);
  const locked = lock?.kind === 'berry' ? lock.graph : graph;
  return lockGraph === undefined ? [] : edgesOf(graph, linksThroughPackages(lockGraph), locked);
}

/** `locked`: the graph of the lockfile, which identifies a workspace moved since then by name. */
function edgesOf(graph: DependencyGraph, links: readonly PackageLink[], locked: DependencyGraph = graph): readonly DependencyEdge[] {
  const byName = new Map(graph.members.map(({ name }, member) => [name, member]));
  const memberAt = (folder: RepoFolder): number | undefined => {
    const name = locked.members[locked.byPath.get(folder) ?? -1]?.name;
    return graph.byPath.get(folder) ?? (name === undefined ? undefined : byName.get(name));
  };
  return links.flatMap(({ from: user, to: used, through }): readonly DependencyEdge[] => {
    const [from, to] = [memberAt(user), memberAt(used)];
    return from === undefined || to === undefined ? [] : [{ from, to, field: 'any', through }];
  });
}
