import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from './folders.js';
import type { LinkKind } from './ranges.js';

/** A workspace as far as the question "who depends on whom" goes. */
export interface Member {
  /** Unique in its graph. */
  readonly name: WorkspaceName;
  /** From the root of the project, which is `''` itself. */
  readonly path: RepoFolder;
}

/**
 * In which block of its manifest a member asks for another; `any`: the lockfile does not tell dependencies from dev dependencies; `read`:
 * `affected.edges` of tributary.json says that it reads the other one.
 */
export type EdgeField = 'any' | 'dependency' | 'dev' | 'peer' | 'optional' | 'read';

/** What stands in a manifest, and leads to a workspace. */
export interface Request {
  readonly kind: LinkKind;
  /** The name that is asked for; not that of the dependency for aliases, paths and `workspace:<path>`. */
  readonly name: string;
  readonly range: string;
  /** What `portal:`, `link:`, `file:` and `exec:` name, below the folder of the dependency. */
  readonly folder: RepoFolder | undefined;
  /** A peer that `peerDependenciesMeta` calls optional, or an optional dependency. */
  readonly optional: boolean;
}

/** One member, the dependent, asks for another, the dependency; both by their place in `members`. */
export interface DependencyEdge {
  readonly from: number;
  readonly to: number;
  readonly field: EdgeField;
  /** Only where a range of a manifest leads there. */
  readonly request?: Request;
  /** The locators of third-party packages that lie between the two; none where one asks for the other itself. */
  readonly through?: readonly string[];
  /** Only of `read`: the place that proves it. */
  readonly proof?: string;
}

/** Workspaces and who asks for whom: all that the selection needs, whether it was read from the lockfile or from manifests. */
export interface DependencyGraph<M extends Member = Member> {
  /** In the order of their source: of manifests by path, the root first; of a lockfile by name. */
  readonly members: readonly M[];
  /** Ordered by the dependent. Two may join the same pair: one for each field and name. A member may ask for itself. */
  readonly edges: readonly DependencyEdge[];
  /** For each member, by place, the edges that lead to it, in the order of the dependents, without those from itself. */
  readonly dependents: readonly (readonly DependencyEdge[])[];
  readonly byPath: ReadonlyMap<RepoFolder, number>;
}

export function buildGraph<M extends Member>(members: readonly M[], edges: readonly DependencyEdge[]): DependencyGraph<M> {
  const dependents: DependencyEdge[][] = members.map(() => []);
  for (const edge of edges) if (edge.from !== edge.to) dependents[edge.to]?.push(edge);
  return { members, edges, dependents, byPath: new Map(members.map(({ path }, place) => [path, place])) };
}

/** The same graph with its members, and so its dependents, in the order of their paths. */
export function orderByPath({ members, edges }: DependencyGraph): DependencyGraph {
  const order = [...members.keys()].sort((one, other) => ((members[one]?.path ?? '') < (members[other]?.path ?? '') ? -1 : 1));
  const places: number[] = [];
  for (const [place, before] of order.entries()) places[before] = place;
  const moved = edges.map((edge) => ({ ...edge, from: places[edge.from] ?? -1, to: places[edge.to] ?? -1 }));
  return buildGraph(
    order.flatMap((before) => members[before] ?? []),
    moved.sort((one, other) => one.from - other.from),
  );
}

/** The place of the member that a file belongs to: the deepest one that contains it. `undefined` only for a graph without a root. */
export function ownerPlace({ byPath }: Pick<DependencyGraph, 'byPath'>, file: string): number | undefined {
  for (let folder = file; folder !== ''; folder = parentFolder(folder)) {
    const place = byPath.get(folder as RepoFolder);
    if (place !== undefined) return place;
  }
  return byPath.get('');
}
