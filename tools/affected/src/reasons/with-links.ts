import type { PackageLink } from '@tributary/workspaces/lock/links';
import type { MemberEdge, MemberGraph } from '@tributary/workspaces/members';

/** The graph with edges that lead through third-party packages, behind the others. */
export function withLinks(graph: MemberGraph, links: readonly PackageLink[]): MemberGraph {
  if (links.length === 0) return graph;
  const dependents: MemberEdge[][] = graph.dependents.map((edges) => [...edges]);
  for (const { from: user, to: used, through } of links) {
    const [from, to] = [graph.byPath.get(user), graph.byPath.get(used)];
    if (from !== undefined && to !== undefined) dependents[to]?.push({ from, to, field: 'any', through });
  }
  return { ...graph, dependents };
}
