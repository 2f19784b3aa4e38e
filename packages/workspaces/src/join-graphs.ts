import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyEdge, type DependencyGraph, type EdgeField } from './dependency-graph.js';

/** The graph of a head, extended by what only its base has. */
export interface ChangedGraph {
  /** Indexes below `headCount` are those of the head. After them come the members that only the base has. */
  readonly graph: DependencyGraph;
  readonly headCount: number;
  /** For each index of the base, the index here. */
  readonly memberOfBase: readonly number[];
  /** Members of the head that the base does not have. */
  readonly added: readonly number[];
}

/** Returns the joined graph if both commits have the same graph. */
export function unchangedGraph(graph: DependencyGraph): ChangedGraph {
  return { graph, headCount: graph.members.length, memberOfBase: graph.members.map((_, member) => member), added: [] };
}

/**
 * Joins the graphs of two commits. An edge that only the base has counts too: a dependent may break if the dependency is removed or changes
 * its version. Members are the same if they have the same name, otherwise if they have the same folder (renamed).
 */
export function joinGraphs(base: DependencyGraph, head: DependencyGraph): ChangedGraph {
  // A lockfile in which only third-party packages changed gives the same graph object as before.
  if (base === head) return unchangedGraph(head);
  const byName = new Map(head.members.map(({ name }, member) => [name, member]));
  const namesOfBase = new Set<WorkspaceName>(base.members.map(({ name }) => name));
  const members = [...head.members];
  const known = new Set<number>();
  const memberOfBase = base.members.map((one) => {
    const member = byName.get(one.name) ?? renamedMember(head, one.path, namesOfBase) ?? members.push(one) - 1;
    known.add(member);
    return member;
  });
  const edges = withoutRepeats([...head.edges, ...base.edges.map((edge) => moveEdge(edge, memberOfBase))], members.length);
  return {
    // A folder of the head belongs to a member of the head.
    graph: { ...buildGraph(members, edges), byPath: head.byPath },
    headCount: head.members.length,
    memberOfBase,
    added: head.members.map((_, member) => member).filter((member) => !known.has(member)),
  };
}

/** Returns the joined graph with more edges, by its indexes. Folders still belong to the members of the head. */
export function withMoreEdges(joined: ChangedGraph, edges: readonly DependencyEdge[]): ChangedGraph {
  const { members, edges: known, byPath } = joined.graph;
  return { ...joined, graph: { ...buildGraph(members, [...known, ...edges]), byPath } };
}

function renamedMember(head: DependencyGraph, path: RepoFolder, namesOfBase: ReadonlySet<WorkspaceName>): number | undefined {
  const member = head.byPath.get(path);
  const name = head.members[member ?? -1]?.name;
  return name === undefined || namesOfBase.has(name) ? undefined : member;
}

/** Returns an edge of the base with the indexes of the joined graph. */
export function moveEdge(edge: DependencyEdge, memberOfBase: readonly number[]): DependencyEdge {
  const from = memberOfBase[edge.from] ?? edge.from;
  const to = memberOfBase[edge.to] ?? edge.to;
  return from === edge.from && to === edge.to ? edge : { ...edge, from, to };
}

const FIELDS: readonly EdgeField[] = ['any', 'dependency', 'dev', 'peer', 'optional', 'read'];

function withoutRepeats(edges: readonly DependencyEdge[], memberCount: number): readonly DependencyEdge[] {
  const seen = new Set<number>();
  return edges.filter(({ from, to, field }) => {
    const before = seen.size;
    return seen.add((from * memberCount + to) * FIELDS.length + FIELDS.indexOf(field)).size > before;
  });
}
