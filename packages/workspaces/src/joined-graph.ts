import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildMemberGraph, type MemberEdge, type MemberGraph } from './members.js';

/**
 * The graphs of two commits as one: an edge that only the base has counts too, for who depended on a member may break when it goes or
 * changes its version. Places below `headCount` are those of the head; behind them come the members that only the base has.
 */
export interface JoinedGraph {
  readonly graph: MemberGraph;
  readonly headCount: number;
  /** For each place of the base its place here. */
  readonly placeOfBase: readonly number[];
  /** Members of the head that the base does not have. */
  readonly added: readonly number[];
}

/** A graph that is the same at both commits. */
export function unchangedGraph(graph: MemberGraph): JoinedGraph {
  return { graph, headCount: graph.members.length, placeOfBase: graph.members.map((_, place) => place), added: [] };
}

/** Members are the same if they have the same name, else if they have the same folder: one that was renamed. */
export function joinGraphs(base: MemberGraph, head: MemberGraph): JoinedGraph {
  const byName = new Map(head.members.map(({ name }, place) => [name, place]));
  const namesOfBase = new Set<WorkspaceName>(base.members.map(({ name }) => name));
  const members = [...head.members];
  const known = new Set<number>();
  const placeOfBase = base.members.map((member) => {
    const place = byName.get(member.name) ?? renamedPlace(head, member.path, namesOfBase) ?? members.push(member) - 1;
    known.add(place);
    return place;
  });
  const edges = [...edgesOf(head), ...edgesOf(base).map((edge) => moveEdge(edge, placeOfBase))];
  const graph = buildMemberGraph(members, withoutRepeats(edges));
  return {
    // A folder of the head belongs to a member of the head.
    graph: { ...graph, byPath: head.byPath },
    headCount: head.members.length,
    placeOfBase,
    added: head.members.map((_, place) => place).filter((place) => !known.has(place)),
  };
}

function renamedPlace(head: MemberGraph, path: RepoFolder, namesOfBase: ReadonlySet<WorkspaceName>): number | undefined {
  const place = head.byPath.get(path);
  const member = place === undefined ? undefined : head.members[place];
  return member === undefined || namesOfBase.has(member.name) ? undefined : place;
}

function edgesOf(graph: MemberGraph): readonly MemberEdge[] {
  return graph.dependents.flat();
}

function moveEdge(edge: MemberEdge, placeOfBase: readonly number[]): MemberEdge {
  return { ...edge, from: placeOfBase[edge.from] ?? edge.from, to: placeOfBase[edge.to] ?? edge.to };
}

function withoutRepeats(edges: readonly MemberEdge[]): readonly MemberEdge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to, field }) => {
    const key = `${from} ${to} ${field}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
