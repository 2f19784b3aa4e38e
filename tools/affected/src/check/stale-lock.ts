import type { LockEntry } from '@tributary/lockfile/lockfile';
import type { WorkspaceName } from '@tributary/model/ids';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { differingRanges } from '@tributary/workspaces/lock/agreement';
import type { StaleLock, StaleProblem } from './finding.js';

/**
 * Finds the differences between the lockfile's graph and that of the manifests, which mean that the lockfile is older than a package.json.
 * All are holes, because the head is read from the lockfile. It does not compare fields of edges, because the lockfile does not have all of
 * them. In the order of the manifests' members, then of the lockfile's.
 */
export function compareGraphs(lock: DependencyGraph, manifests: DependencyGraph): readonly StaleLock[] {
  const inLock = new Map(lock.members.map((member) => [member.name, member]));
  const inManifests = new Map(manifests.members.map((member) => [member.name, member]));
  const changed = manifests.members.flatMap(({ name, path }): readonly StaleLock[] => {
    const other = inLock.get(name);
    if (other === undefined) return [stale(name, { what: 'workspace-missing' })];
    return other.path === path ? [] : [stale(name, { what: 'workspace-moved', lockPath: other.path, path })];
  });
  const extra = lock.members.filter(({ name }) => !inManifests.has(name)).map(({ name }) => stale(name, { what: 'workspace-extra' }));
  return [...changed, ...extra, ...compareEdges(lock, manifests)];
}

function compareEdges(lock: DependencyGraph, manifests: DependencyGraph): readonly StaleLock[] {
  const inLock = listEdges(lock);
  const inManifests = listEdges(manifests);
  const shared = new Set(lock.members.map(({ name }) => name).filter((name) => manifests.members.some((member) => member.name === name)));
  const both = ({ from, to }: NamedEdge): boolean => shared.has(from) && shared.has(to);
  const missing = [...inManifests].filter(([key, edge]) => both(edge) && !inLock.has(key));
  const extra = [...inLock].filter(([key, edge]) => both(edge) && !inManifests.has(key));
  return [
    ...missing.map(([, { from, to }]) => stale(from, { what: 'edge-missing', to })),
    ...extra.map(([, { from, to }]) => stale(from, { what: 'edge-extra', to })),
  ];
}

interface NamedEdge {
  readonly from: WorkspaceName;
  readonly to: WorkspaceName;
}

function listEdges({ members, dependents }: DependencyGraph): ReadonlyMap<string, NamedEdge> {
  const named = dependents.flat().flatMap((edge) => {
    const from = members[edge.from]?.name;
    const to = members[edge.to]?.name;
    return from === undefined || to === undefined ? [] : [[`${from} ${to}`, { from, to }] as const];
  });
  return new Map(named);
}

/**
 * Finds the ranges of manifests that differ from the lockfile. It skips workspaces that are missing from the lockfile, which
 * `compareGraphs` reports. In the order of the workspaces, then of the manifest.
 */
export function compareRanges(workspaces: readonly Workspace[], entries: readonly LockEntry[]): readonly StaleLock[] {
  const byPath = new Map(entries.flatMap((entry) => (entry.workspace === undefined ? [] : [[entry.workspace, entry] as const])));
  return workspaces.flatMap(({ name, path, manifest }) => {
    const entry = byPath.get(path);
    const differing = entry === undefined ? [] : differingRanges(manifest, entry);
    return differing.map((difference) => stale(name, { what: 'range', ...difference }));
  });
}

function stale(workspace: WorkspaceName, problem: StaleProblem): StaleLock {
  return { kind: 'stale-lock', severity: 'hole', workspace, problem };
}
