import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyEdge, type DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { PackageLink } from '@tributary/workspaces/lock/links';

/**
 * Appends the edges that lead through third-party packages to the graph. `locked`: the graph of the lockfile, which identifies a workspace
 * moved since then by name.
 */
export function withLinks(graph: DependencyGraph, links: readonly PackageLink[], locked: DependencyGraph = graph): DependencyGraph {
  if (links.length === 0) return graph;
  const byName = new Map(graph.members.map(({ name }, place) => [name, place]));
  const placeOf = (folder: RepoFolder): number | undefined => {
    const name = locked.members[locked.byPath.get(folder) ?? -1]?.name;
    return graph.byPath.get(folder) ?? (name === undefined ? undefined : byName.get(name));
  };
  const further = links.flatMap(({ from: user, to: used, through }): readonly DependencyEdge[] => {
    const [from, to] = [placeOf(user), placeOf(used)];
    return from === undefined || to === undefined ? [] : [{ from, to, field: 'any', through }];
  });
  return buildGraph(graph.members, [...graph.edges, ...further]);
}
