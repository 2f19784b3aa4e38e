import type { RepoFolder } from '@tributary/model/paths';
import type { Workspace } from './discover.js';
import { buildGraph, type Edge, type GraphSettings, type WorkspaceGraph } from './graph.js';
import { buildMemberGraph, type MemberEdge, type MemberGraph } from './members.js';
import { findLink } from './ranges.js';

/**
 * The members and edges that manifests give. Beside the edges of `buildGraph` it has those that Yarn resolves by name: a peer on a
 * member, whatever its range; a name that the root's `resolutions` lead to a member. The same graph as `readLockMembers` gives for a
 * lockfile that is up to date, with the field of each edge; ordered by path.
 */
export function membersOf(workspaces: readonly Workspace[], settings: GraphSettings = {}): MemberGraph {
  const graph = buildGraph(workspaces, settings);
  const places = new Map(workspaces.map((workspace, place) => [workspace, place]));
  const placeOf = (workspace: Workspace): number => places.get(workspace) ?? 0;
  const linked = workspaces.flatMap((workspace) => [...(graph.dependencies.get(workspace) ?? [])]);
  const edges: MemberEdge[] = linked.map(({ from, to, field }: Edge) => ({ from: placeOf(from), to: placeOf(to), field }));
  const known = new Set(edges.map(keyOf));
  for (const edge of edgesByName(graph, settings, placeOf)) if (!known.has(keyOf(edge))) edges.push(edge);
  return buildMemberGraph(
    workspaces.map(({ name, path }) => ({ name, path })),
    edges,
  );
}

function keyOf({ from, to, field }: MemberEdge): string {
  return `${from} ${to} ${field}`;
}

function edgesByName(graph: WorkspaceGraph, settings: GraphSettings, placeOf: (workspace: Workspace) => number): readonly MemberEdge[] {
  const resolved = resolvedNames(graph, settings);
  const edges: MemberEdge[] = [];
  for (const from of graph.workspaces) {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = from.manifest;
    const add = (to: Workspace | undefined, field: MemberEdge['field']): void => {
      if (to !== undefined && to !== from) edges.push({ from: placeOf(from), to: placeOf(to), field });
    };
    for (const name of peerDependencies.keys())
      add((graph.byName as ReadonlyMap<string, Workspace>).get(name) ?? resolved.get(name), 'peer');
    if (resolved.size === 0) continue;
    for (const name of dependencies.keys()) add(resolved.get(name), 'dependency');
    for (const name of devDependencies.keys()) add(resolved.get(name), 'dev');
    for (const name of optionalDependencies.keys()) add(resolved.get(name), 'optional');
  }
  return edges;
}

/** Where `resolutions` of the root lead, for those that lead to a member: by the last name of the pattern (`a/lib@^1` -> `lib`). */
function resolvedNames({ byName, byPath }: WorkspaceGraph, settings: GraphSettings): ReadonlyMap<string, Workspace> {
  const root = byPath.get('' as RepoFolder);
  const names = new Map<string, Workspace>();
  if (root === undefined) return names;
  const index = { byName, byPath, transparent: settings.transparentWorkspaces !== 'off', catalogs: settings.catalogs };
  for (const [pattern, range] of root.manifest.resolutions) {
    const name = /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?$/.exec(pattern)?.[1];
    const link = name === undefined ? undefined : findLink(root, { name, range }, index);
    if (name !== undefined && link !== undefined) names.set(name, link.to);
  }
  return names;
}
