import type { PackageLink } from '@tributary/workspaces/lock/links';
import type { MemberEdge, MemberGraph } from '@tributary/workspaces/members';

/** The graph with edges that lead through third-party packages, behind the others. */
export function withLinks(graph: MemberGraph, links: readonly PackageLink[]): MemberGraph {
  const edges = new Map<number, MemberEdge[]>();
  for (const { from: user, to: used, through } of links) {
    const [from, to] = [graph.byPath.get(user), graph.byPath.get(used)];
    if (from === undefined || to === undefined) continue;
    const edge: MemberEdge = { from, to, field: 'any', through };
    const known = edges.get(to);
    if (known === undefined) edges.set(to, [edge]);
    else known.push(edge);
  }
  if (edges.size === 0) return graph;
  let all: MemberGraph['dependents'] | undefined;
  const edgesTo: MemberGraph['edgesTo'] = (places) =>
    graph.edgesTo(places).map((known, at) => [...known, ...(edges.get(places[at] ?? -1) ?? [])]);
  return {
    members: graph.members,
    byPath: graph.byPath,
    edgesTo,
    get dependents() {
      all ??= edgesTo([...graph.members.keys()]);
      return all;
    },
  };
}
