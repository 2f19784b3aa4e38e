import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from './folders.js';
import type { LinkKind } from './ranges.js';

/** A workspace, reduced to what a dependency graph needs. */
export interface Member {
  /** Unique in its graph. */
  readonly name: WorkspaceName;
  /** Relative to the project root, which is `''`. */
  readonly path: RepoFolder;
}

/**
 * The block of the manifest that declares a dependency. `any`: the lockfile does not separate dependencies from dev dependencies. `read`:
 * `affected.edges` of tributary.json declares it.
 */
export type EdgeField = 'any' | 'dependency' | 'dev' | 'peer' | 'optional' | 'read';

/** A range in a manifest that leads to a workspace. */
export interface Request {
  readonly kind: LinkKind;
  /** The requested name; it differs from the dependency's name for aliases, paths and `workspace:<path>`. */
  readonly name: string;
  readonly range: string;
  /** The path that `portal:`, `link:`, `file:` and `exec:` name, inside the dependency's folder. */
  readonly folder: RepoFolder | undefined;
  /** A peer that `peerDependenciesMeta` marks as optional, or an optional dependency. */
  readonly optional: boolean;
}

/** A dependency between members, from the dependent to the dependency; both as indexes in `members`. */
export interface DependencyEdge {
  readonly from: number;
  readonly to: number;
  readonly field: EdgeField;
  /** Set only if a range of a manifest leads there. */
  readonly request?: Request;
  /** The locators of the third-party packages between the two; missing for a direct dependency. */
  readonly through?: readonly string[];
  /** Only for edges that no manifest has: the place that proves it. */
  readonly proof?: string;
  /**
   * Only for edges that sources show. `name`: they import the package, so what is no source of it does not pass. `source`: they name a
   * source of it by its path, or run its command, so what only tests of it see does not pass. `tests`: tests alone import the package, so
   * nothing passes on to the dependents of `from`.
   */
  readonly via?: 'name' | 'source' | 'tests';
}

/** Workspaces and their dependencies. The selection needs only this graph, from the lockfile or from manifests. */
export interface DependencyGraph<M extends Member = Member> {
  /** In the order of the source: for manifests by path, root first; for a lockfile by name. */
  readonly members: readonly M[];
  /** Ordered by dependent. Several edges may join the same pair: one for each field and name. A member may depend on itself. */
  readonly edges: readonly DependencyEdge[];
  /** For each member, by index: the edges that lead to it, in the order of the dependents, without edges from itself. */
  readonly dependents: readonly (readonly DependencyEdge[])[];
  readonly byPath: ReadonlyMap<RepoFolder, number>;
}

export function buildGraph<M extends Member>(members: readonly M[], edges: readonly DependencyEdge[]): DependencyGraph<M> {
  const dependents: DependencyEdge[][] = members.map(() => []);
  for (const edge of edges) if (edge.from !== edge.to) dependents[edge.to]?.push(edge);
  return { members, edges, dependents, byPath: new Map(members.map(({ path }, member) => [path, member])) };
}

/**
 * Returns the index of the member that owns a file: the one with the deepest folder that contains it. `undefined` only for a graph without
 * a root.
 */
export function owningMember({ byPath }: Pick<DependencyGraph, 'byPath'>, file: string): number | undefined {
  for (let folder = file; folder !== ''; folder = parentFolder(folder)) {
    const member = byPath.get(folder as RepoFolder);
    if (member !== undefined) return member;
  }
  return byPath.get('');
}
