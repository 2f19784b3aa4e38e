import { buildGraph, type DependencyEdge, type DependencyGraph, type EdgeField } from './dependency-graph.js';
import type { Workspace } from './discover.js';
import { findResolution, normalizeRange, parseResolutions } from './lock/resolutions.js';
import type { Manifest } from './manifest.js';
import { findLink, type GraphSettings, mayLeadToWorkspace, WorkspaceIndex } from './ranges.js';

/**
 * Builds the graph from manifests. An edge is a range for which `findLink` finds a workspace. Yarn resolves further edges by name, which
 * have no request: a peer with the name of a member, whatever its range, and a range that the root's `resolutions` lead to a member. The
 * graph equals that of `readLockMembers` for an up-to-date lockfile, plus the field of each edge. `workspaces` come from
 * `discoverWorkspaces`.
 */
export function readManifestGraph(workspaces: readonly Workspace[], settings: GraphSettings = {}): DependencyGraph<Workspace> {
  const index = new WorkspaceIndex(workspaces, settings);
  const resolved = parseResolutions(index.byPath.get('')?.manifest.resolutions ?? new Map());
  const asked: DependencyEdge[] = [];
  const byName: DependencyEdge[] = [];
  for (const [from, workspace] of workspaces.entries()) {
    const own = edgesOf(workspace, from, index);
    asked.push(...own);
    for (const edge of edgesByName(workspace, from, { index, resolved }))
      if (!own.some(({ to, field }) => to === edge.to && field === edge.field)) byName.push(edge);
  }
  return buildGraph(workspaces, [...asked, ...byName]);
}

const BLOCKS = [
  ['dependency', 'dependencies'],
  ['dev', 'devDependencies'],
  ['peer', 'peerDependencies'],
  ['optional', 'optionalDependencies'],
] as const satisfies readonly (readonly [EdgeField, keyof Manifest])[];

function edgesOf(workspace: Workspace, from: number, index: WorkspaceIndex): readonly DependencyEdge[] {
  const { manifest } = workspace;
  const edges: DependencyEdge[] = [];
  for (const [field, block] of BLOCKS) {
    for (const [name, written] of manifest[block]) {
      if (!mayLeadToWorkspace({ name, range: written }, index)) continue;
      // Yarn keeps both kinds in one map, in which an optional entry replaces a regular one.
      if (field === 'dependency' && manifest.optionalDependencies.has(name)) continue;
      const range = field === 'peer' ? peerRange(written, index) : written;
      const link = findLink(workspace, { name, range }, index);
      if (link === undefined) continue;
      const optional = field === 'optional' || (field === 'peer' && manifest.optionalPeers.has(name));
      const { kind, folder } = link;
      edges.push({ from, to: index.memberOf(link.to), field, request: { kind, name, range, folder, optional } });
    }
  }
  return edges;
}

/** Returns the range of a peer. Yarn reads a peer range that it does not understand as any version. */
function peerRange(range: string, index: WorkspaceIndex): string {
  return range.startsWith('workspace:') || index.isRange(range) ? range : '*';
}

function edgesByName(
  workspace: Workspace,
  from: number,
  { index, resolved }: { readonly index: WorkspaceIndex; readonly resolved: Resolved },
): readonly DependencyEdge[] {
  const { manifest } = workspace;
  const edges: DependencyEdge[] = [];
  for (const [field, block] of BLOCKS) {
    if (field !== 'peer' && resolved.size === 0) continue;
    for (const [name, range] of manifest[block]) {
      const found = (field === 'peer' ? index.byName.get(name) : undefined) ?? resolvedTo(workspace, { name, range }, { index, resolved });
      const to = found === undefined ? from : index.memberOf(found);
      if (to !== from) edges.push({ from, to, field });
    }
  }
  return edges;
}

type Resolved = ReturnType<typeof parseResolutions>;

/**
 * Returns the workspace that `resolutions` of the root give for a request. The first match counts; an entry for one dependent applies only
 * to it.
 */
function resolvedTo(
  { name: own, path }: Workspace,
  { name, range }: { readonly name: string; readonly range: string },
  { index, resolved }: { readonly index: WorkspaceIndex; readonly resolved: Resolved },
): Workspace | undefined {
  const root = index.byPath.get('');
  const found = findResolution(resolved.get(name) ?? [], `${own}@workspace:${path === '' ? '.' : path}`, normalizeRange(range));
  return root === undefined || found === undefined
    ? undefined
    : findLink(root, { name, range: found.to.replace(/^npm:(?!.*@)/, '') }, index)?.to;
}
