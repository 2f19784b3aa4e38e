import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from './folders.js';

/** A workspace as far as the question "who depends on whom" goes. */
export interface Member {
  /** Unique in its graph. */
  readonly name: WorkspaceName;
  /** From the root of the project, which is `''` itself. */
  readonly path: RepoFolder;
}

/** In which block of its manifest a member asks for another; `any`: the lockfile does not tell dependencies from dev dependencies. */
export type MemberEdgeField = 'any' | 'dependency' | 'dev' | 'peer' | 'optional';

/** One member asks for another; both by their place in `members`. */
export interface MemberEdge {
  readonly from: number;
  readonly to: number;
  readonly field: MemberEdgeField;
  /** The locators of third-party packages that lie between the two; none where one asks for the other itself. */
  readonly through?: readonly string[];
}

/** Members and who asks for whom: all that the selection needs, whether it was read from the lockfile or from manifests. */
export interface MemberGraph {
  /** Ordered by path, the root first. */
  readonly members: readonly Member[];
  /** For each member, by place, the edges that lead to it, in the order of the dependents. No member depends on itself. */
  readonly dependents: readonly (readonly MemberEdge[])[];
  readonly byPath: ReadonlyMap<RepoFolder, number>;
}

/** For every member that is reached from others the one edge that led to it, on one of the shortest ways; the nearest first. */
export type Reached = readonly MemberEdge[];

/** Builds the graph; edges from a member to itself are dropped, several between two members stay. */
export function buildMemberGraph(members: readonly Member[], edges: readonly MemberEdge[]): MemberGraph {
  const dependents = dependentsOf(members, edges);
  return { members, dependents, byPath: new Map(members.map(({ path }, place) => [path, place])) };
}

/** The edges by the member that they lead to. */
function dependentsOf(members: readonly Member[], edges: readonly MemberEdge[]): MemberGraph['dependents'] {
  const dependents: MemberEdge[][] = members.map(() => []);
  for (const edge of edges) if (edge.from !== edge.to) dependents[edge.to]?.push(edge);
  return dependents;
}

/** The place of the member that a file belongs to: the deepest one that contains it. `undefined` only for a graph without a root. */
export function ownerPlace(graph: Pick<MemberGraph, 'byPath'>, file: string): number | undefined {
  for (let folder = file; folder !== ''; folder = parentFolder(folder)) {
    const place = graph.byPath.get(folder as RepoFolder);
    if (place !== undefined) return place;
  }
  return graph.byPath.get('');
}
