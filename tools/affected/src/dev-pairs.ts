import { buildGraph, type DependencyEdge, type DependencyGraph } from '@tributary/workspaces/dependency-graph';

/** Pairs of members, by name, of which the first has the second only as a dev dependency. */
export type DevPairs = ReadonlySet<string>;

/** Returns the pairs of a graph from manifests, except those whose dependent is built with the dependency. */
export function devPairsOf(graph: DependencyGraph, builtWith: (edge: DependencyEdge) => boolean): DevPairs {
  const fields = new Map<string, boolean>();
  for (const edge of graph.edges) {
    const pair = pairOf(graph, edge);
    fields.set(pair, edge.field === 'dev' && !builtWith(edge) && fields.get(pair) !== false);
  }
  return new Set([...fields].flatMap(([pair, isDev]) => (isDev ? [pair] : [])));
}

/** Marks the edges of these pairs as dev edges in the graph of another commit, whose lockfile does not mark them. */
export function withDevEdges(graph: DependencyGraph, pairs: DevPairs): DependencyGraph {
  const edges = graph.edges.map((edge): DependencyEdge => {
    if (edge.field === 'read') return edge;
    if (!pairs.has(pairOf(graph, edge)) || edge.through !== undefined) return edge.field === 'dev' ? { ...edge, field: 'any' } : edge;
    return { ...edge, field: 'dev' };
  });
  return { ...buildGraph(graph.members, edges), byPath: graph.byPath };
}

function pairOf({ members }: DependencyGraph, { from, to }: DependencyEdge): string {
  return `${members[from]?.name ?? ''}\0${members[to]?.name ?? ''}`;
}
