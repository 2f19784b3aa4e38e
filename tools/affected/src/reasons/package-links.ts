import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { linksThroughPackages, type PackageLink } from '@tributary/workspaces/lock/links';
import { buildMemberGraph, type MemberEdge, type MemberGraph } from '@tributary/workspaces/members';
import type { Side } from '../side.js';

/**
 * The graph with the edges that lead through third-party packages: where such a package asks for a range that a workspace satisfies, Yarn
 * gives it the workspace, and whoever uses the package depends on the workspace. `counts`: which of the edges are meant.
 */
export function withPackageLinks(
  { graph }: Pick<Side, 'graph'>,
  lock: LockGraph | undefined,
  counts: (link: PackageLink) => boolean = () => true,
): MemberGraph {
  if (lock === undefined) return graph;
  const known = linksThroughPackages(lock).filter(counts);
  const links = known.flatMap(({ from, to, through }): readonly MemberEdge[] => {
    const places = { from: graph.byPath.get(from), to: graph.byPath.get(to) };
    return places.from === undefined || places.to === undefined ? [] : [{ from: places.from, to: places.to, field: 'any', through }];
  });
  return links.length === 0 ? graph : buildMemberGraph(graph.members, [...graph.dependents.flat(), ...links]);
}
