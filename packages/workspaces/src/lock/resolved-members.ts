import { pairsOf } from '@tributary/lockfile/record';
import { buildGraph, type DependencyEdge, type DependencyGraph, owningMember } from '../dependency-graph.js';
import { resolveFolder } from '../folders.js';
import type { BerryMembers } from './members.js';
import { findResolution, normalizeRange, parseResolutions } from './resolutions.js';

/**
 * Returns the graph of a lockfile with the edges that `resolutions` of the root create. With them, a line of a workspace leads to another
 * workspace although a registry entry has the same descriptor, for other dependents.
 */
export function withResolutions(lock: BerryMembers, resolutions: ReadonlyMap<string, string>): DependencyGraph {
  const { graph, index } = lock;
  if (![...resolutions.values()].some((to) => PATH.test(to))) return graph;
  const byName = parseResolutions(resolutions);
  const added = index.records.flatMap((record): readonly DependencyEdge[] => {
    const from = record.workspace === undefined ? undefined : graph.byPath.get(record.workspace);
    if (from === undefined) return [];
    return pairsOf(record).flatMap(([name, range]): readonly DependencyEdge[] => {
      const to = targetOf(graph, name, findResolution(byName.get(name) ?? [], record.resolution, normalizeRange(range))?.to);
      return to === undefined || to === from ? [] : [{ from, to, field: 'any' }];
    });
  });
  const known = new Set(graph.edges.map(({ from, to }) => `${from} ${to}`));
  const fresh = added.filter(({ from, to }) => !known.has(`${from} ${to}`));
  return fresh.length === 0
    ? graph
    : buildGraph(
        graph.members,
        [...graph.edges, ...fresh].sort((one, other) => one.from - other.from),
      );
}

const PATH = /^(?:workspace|portal|link|file|exec):(.*)$/s;

/** Returns the index of the member to which a resolution leads. */
function targetOf(graph: DependencyGraph, name: string, to: string | undefined): number | undefined {
  const path = to === undefined ? undefined : PATH.exec(to)?.[1]?.replace(/(?:#|::).*$/s, '');
  if (path === undefined) return undefined;
  const named = graph.members.findIndex((member) => member.name === name);
  if (to?.startsWith('workspace:') === true && !graph.byPath.has(resolveFolder('', path) ?? ('' as never)))
    return named < 0 ? undefined : named;
  const folder = resolveFolder('', path);
  return folder === undefined ? undefined : owningMember(graph, folder);
}
