import { pairsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { Workspace } from '@tributary/workspaces/discover';
import { buildLockGraph, type LockGraph } from '@tributary/workspaces/lock/graph';
import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import type { Monorepo } from '../project.js';
import { directDependencies } from './direct.js';
import { descriptorsFor, rulesOf, workspaceRecords } from './got.js';
import { readIndex } from './root-lock.js';

/**
 * Returns requests in a yarn.lock that may be out of date for the workspaces before the import: missing ones, and those
 * that nobody makes. In the order of the file. If the result is empty, the lockfile is certainly up to date; otherwise
 * Yarn must decide. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`.
 */
export function suspectDrift(text: string, project: Monorepo): readonly string[] {
  const index = readIndex(text);
  if (index === undefined) return [];
  const graph = buildLockGraph(index, rulesOf(project));
  const here = project.workspaces.filter(({ path }) => !project.importedPackages.some((importedPackage) => importedPackage.path === path));
  return [...suspectWorkspaces(graph, here), ...orphansIn(graph)];
}

function suspectWorkspaces(graph: LockGraph, workspaces: readonly Workspace[]): readonly string[] {
  const records = workspaceRecords(graph.index);
  const lost = [...records]
    .filter(([path]) => !workspaces.some((workspace) => workspace.path === path))
    .map(([, { resolution }]) => resolution);
  const changed = workspaces.flatMap((workspace) => suspectRequests(graph, workspace, records.get(workspace.path)));
  return [...lost, ...changed];
}

function suspectRequests(
  { references }: LockGraph,
  { name, path, manifest }: Workspace,
  parent: LockRecord | undefined,
): readonly string[] {
  if (parent === undefined) return [`${name}@workspace:${path === '' ? '.' : path}`];
  const asked = new Map([...directDependencies(manifest)].map(([dependency, range]) => [dependency, normalizeRange(range)]));
  const known = new Map(pairsOf(parent).map(([dependency, range]) => [dependency, normalizeRange(range)]));
  const differing = [...new Set([...asked.keys(), ...known.keys()])].filter((one) => asked.get(one) !== known.get(one));
  const unresolved = [...known].filter(([one, range]) => descriptorsFor(references, { parent, name: one, range }).length === 0);
  return [...differing.map((one) => `${one}@${asked.get(one) ?? known.get(one)}`), ...unresolved.map((pair) => pair.join('@'))];
}

/** Returns the requests that no workspace reaches. */
function orphansIn(graph: LockGraph): readonly string[] {
  const { index } = graph;
  const reached = new Set(index.records.flatMap(({ workspace }, place) => (workspace === undefined ? [] : [place])));
  const seen = new Set<number>();
  for (const place of reached) {
    for (const number of graph.targetsOf(place)) {
      seen.add(number);
      reached.add(index.owners[number] ?? -1);
    }
  }
  return index.descriptors.filter((_, number) => !seen.has(number) && index.records[index.owners[number] ?? -1]?.workspace === undefined);
}
