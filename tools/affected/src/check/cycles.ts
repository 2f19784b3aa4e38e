import type { WorkspaceName } from '@tributary/model/ids';
import type { DependencyEdge, DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { orderWorkspaces } from '@tributary/workspaces/order';
import type { Cycle } from './finding.js';

/**
 * Finds the groups of workspaces that depend on each other in a cycle, ordered by their first workspace. Cycles are legal: a change of one
 * selects all.
 */
export function findCycles(graph: DependencyGraph): readonly Cycle[] {
  const indexes = new Map(graph.members.map((one, member) => [one, member]));
  const groups = orderWorkspaces(graph).cycles.map((group) => group.map((one) => indexes.get(one) ?? -1));
  return groups.sort(([one = 0], [other = 0]) => one - other).map((group) => describe(graph, group));
}

/** `group`: in the order of the graph. */
function describe(graph: DependencyGraph, group: readonly number[]): Cycle {
  const members = new Set(group);
  const inside = group.flatMap((member) => (graph.dependents[member] ?? []).filter(({ from }) => members.has(from)));
  const name = (member: number): WorkspaceName => (graph.members[member]?.name ?? '') as WorkspaceName;
  return {
    kind: 'cycle',
    severity: 'note',
    workspaces: group.map(name),
    fields: [...new Set(inside.map(({ field }) => field))].sort(),
    chain: findShortest(group, inside).map(name),
  };
}

/**
 * The number of workspaces from which it searches a shortest cycle. In a component of thousands, one that is nearly the shortest suffices.
 */
const MOST_STARTS = 200;

function findShortest(group: readonly number[], inside: readonly DependencyEdge[]): readonly number[] {
  const next = new Map<number, number[]>(group.map((member) => [member, []]));
  for (const { from, to } of inside) next.get(from)?.push(to);
  let best: readonly number[] = [];
  for (const start of group.slice(0, MOST_STARTS)) {
    const cycle = shortestThrough(next, start);
    if (best.length === 0 || (cycle.length > 0 && cycle.length < best.length)) best = cycle;
    if (best.length === 2) return best;
  }
  return best;
}

function shortestThrough(next: ReadonlyMap<number, readonly number[]>, start: number): readonly number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const member of queue) {
    for (const to of next.get(member) ?? []) {
      if (to === start) return chainTo(cameFrom, start, member);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, member);
      queue.push(to);
    }
  }
  return [];
}

function chainTo(cameFrom: ReadonlyMap<number, number>, start: number, end: number): readonly number[] {
  const chain = [end];
  for (let member = end; member !== start; chain.unshift(member)) member = cameFrom.get(member) ?? start;
  return chain;
}
