import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Workspace } from './discover.js';
import type { Manifest } from './manifest.js';
import {
  type Catalogs,
  findLink,
  type Link,
  type LinkKind,
  mayLeadToWorkspace,
  ownerIn,
  parseSemverRange,
  type WorkspaceIndex,
} from './ranges.js';

/** The block of the manifest that a dependency stands in. */
type DependencyField = 'dependency' | 'dev' | 'peer' | 'optional';

/** One dependency of a workspace on a workspace. */
export interface Edge {
  /** The dependent. */
  readonly from: Workspace;
  /** The dependency. The same as `from` where a workspace asks for itself. */
  readonly to: Workspace;
  readonly field: DependencyField;
  readonly kind: LinkKind;
  /** The name it is asked for by; not that of `to` for aliases, paths and `workspace:<path>`. */
  readonly name: string;
  readonly range: string;
  /** What `portal:`, `link:`, `file:` and `exec:` name, below the folder of `to`. */
  readonly folder: RepoFolder | undefined;
  /** A peer that `peerDependenciesMeta` calls optional, or an optional dependency. */
  readonly optional: boolean;
}

/** The workspaces of a project and how they depend on each other. Two edges may join the same pair: one for each field and name. */
export interface WorkspaceGraph {
  /** Ordered by path, the root first. */
  readonly workspaces: readonly Workspace[];
  readonly byName: ReadonlyMap<WorkspaceName, Workspace>;
  readonly byPath: ReadonlyMap<RepoFolder, Workspace>;
  /** What each workspace asks for, by field (dependency, dev, peer, optional) and in the order of its manifest. */
  readonly dependencies: ReadonlyMap<Workspace, readonly Edge[]>;
  /** Who asks for each workspace, in the order of the dependents. */
  readonly dependents: ReadonlyMap<Workspace, readonly Edge[]>;
}

/** What `.yarnrc.yml` says that changes edges. */
export interface GraphSettings {
  /** `enableTransparentWorkspaces`, on if not given. */
  readonly transparentWorkspaces?: 'on' | 'off';
  /** If not given, a `catalog:` range means the workspace of that name, if there is one. */
  readonly catalogs?: Catalogs;
}

/** Builds the graph of the workspaces that `discoverWorkspaces` found. Source of what is an edge: `findLink`. */
export function buildGraph(workspaces: readonly Workspace[], settings: GraphSettings = {}): WorkspaceGraph {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const byPath = new Map(workspaces.map((workspace) => [workspace.path, workspace]));
  const index = { byName, byPath, transparent: settings.transparentWorkspaces !== 'off', catalogs: settings.catalogs };
  const dependencies = new Map(workspaces.map((workspace) => [workspace, edgesOf(workspace, index)]));
  const dependents = new Map<Workspace, Edge[]>(workspaces.map((workspace) => [workspace, []]));
  for (const edges of dependencies.values()) for (const edge of edges) dependents.get(edge.to)?.push(edge);
  return { workspaces, byName, byPath, dependencies, dependents };
}

/** The workspace that a file belongs to: the deepest one that contains it. `undefined` only for a graph without a root. */
export function ownerOf(graph: WorkspaceGraph, file: RepoPath): Workspace | undefined {
  return ownerIn(graph.byPath, file);
}

/** Which edges to walk along. */
export type EdgeFilter = (edge: Edge) => boolean;

/**
 * All that depend on one of the seeds, at any distance, with the first edge that led to each; the seeds are not in it.
 * In order of distance, then of the graph. Cycles are no trouble.
 */
export function findDependents(
  graph: WorkspaceGraph,
  seeds: Iterable<Workspace>,
  follows: EdgeFilter = () => true,
): ReadonlyMap<Workspace, Edge> {
  const reached = new Map<Workspace, Edge>();
  const queue = [...new Set(seeds)];
  const known = new Set(queue);
  for (const workspace of queue) {
    for (const edge of graph.dependents.get(workspace) ?? []) {
      if (known.has(edge.from) || !follows(edge)) continue;
      known.add(edge.from);
      reached.set(edge.from, edge);
      queue.push(edge.from);
    }
  }
  return reached;
}

function edgesOf(from: Workspace, index: WorkspaceIndex): readonly Edge[] {
  return requests(from.manifest, index).flatMap((request) => {
    const link: Link | undefined = findLink(from, request, index);
    return link === undefined ? [] : [{ from, ...link, ...request }];
  });
}

type Request = Pick<Edge, 'field' | 'name' | 'range' | 'optional'>;

/** What a manifest asks for, without what certainly comes from a registry. */
function requests(manifest: Manifest, index: WorkspaceIndex): readonly Request[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies, optionalPeers } = manifest;
  const found: Request[] = [];
  const add = (field: DependencyField, entries: ReadonlyMap<string, string>, optional: (name: string) => boolean): void => {
    for (const [name, range] of entries) {
      if (!mayLeadToWorkspace({ name, range }, index)) continue;
      // Yarn keeps both kinds in one map, and an optional one takes the place of a regular one.
      if (field === 'dependency' && optionalDependencies.has(name)) continue;
      found.push({ field, name, range: field === 'peer' ? peerRange(range) : range, optional: optional(name) });
    }
  };
  add('dependency', dependencies, () => false);
  add('dev', devDependencies, () => false);
  add('peer', peerDependencies, (name) => optionalPeers.has(name));
  add('optional', optionalDependencies, () => true);
  return found;
}

/** Yarn reads a peer range that it does not understand as any version. */
function peerRange(range: string): string {
  return range.startsWith('workspace:') || parseSemverRange(range) !== undefined ? range : '*';
}
