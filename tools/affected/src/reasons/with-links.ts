import { buildGraph, type DependencyEdge, type DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { PackageLink } from '@tributary/workspaces/lock/links';

/** The graph with edges that lead through third-party packages, behind the others. */
export function withLinks(graph: DependencyGraph, links: readonly PackageLink[]): DependencyGraph {
  if (links.length === 0) return graph;
  const further = links.flatMap(({ from: user, to: used, through }): readonly DependencyEdge[] => {
    const [from, to] = [graph.byPath.get(user), graph.byPath.get(used)];
    return from === undefined || to === undefined ? [] : [{ from, to, field: 'any', through }];
  });
  return buildGraph(graph.members, [...graph.edges, ...further]);
}
