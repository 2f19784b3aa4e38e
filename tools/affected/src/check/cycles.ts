import type { WorkspaceName } from '@tributary/model/ids';
import type { MemberEdge, MemberGraph } from '@tributary/workspaces/members';
import type { Cycle } from './finding.js';

/** Finds the groups of workspaces that depend on each other in a circle, ordered by their first workspace. Cycles are legal: a change of one selects all. */
export function findCycles(graph: MemberGraph): readonly Cycle[] {
  const edges = graph.dependents.flat();
  const groups = findComponents(graph.members.length, edges);
  return groups.map((group) => describe(graph, group, edges)).sort((a, b) => comparePlaces(graph, a, b));
}

function comparePlaces(graph: MemberGraph, a: Cycle, b: Cycle): number {
  const place = ({ workspaces }: Cycle): number => graph.members.findIndex(({ name }) => name === workspaces[0]);
  return place(a) - place(b);
}

function describe(graph: MemberGraph, group: readonly number[], edges: readonly MemberEdge[]): Cycle {
  const members = new Set(group);
  const inside = edges.filter(({ from, to }) => members.has(from) && members.has(to));
  const name = (place: number): WorkspaceName => (graph.members[place]?.name ?? '') as WorkspaceName;
  const withoutDev = inside.filter(({ field }) => field !== 'dev');
  return {
    kind: 'cycle',
    severity: 'note',
    workspaces: [...group].sort((a, b) => a - b).map(name),
    fields: [...new Set(inside.map(({ field }) => field))].sort(),
    dev: findComponents(graph.members.length, withoutDev).length === 0 ? 'needed' : 'not-needed',
    chain: findShortest(group, inside).map(name),
  };
}

/** The components of two or more places. Tarjan's algorithm without recursion, which deep graphs would not survive. */
function findComponents(count: number, edges: readonly MemberEdge[]): readonly (readonly number[])[] {
  const next = listNext(count, edges);
  const order = Array.from({ length: count }, () => 0);
  const lowest = Array.from({ length: count }, () => 0);
  const open: number[] = [];
  const isOpen = new Set<number>();
  const components: number[][] = [];
  let clock = 0;
  const enter = (place: number): Frame => {
    clock++;
    order[place] = clock;
    lowest[place] = clock;
    open.push(place);
    isOpen.add(place);
    return { place, at: 0 };
  };
  const leave = ({ place }: Frame, parent: Frame | undefined): void => {
    const low = lowest[place] ?? 0;
    if (parent !== undefined) lowest[parent.place] = Math.min(lowest[parent.place] ?? 0, low);
    if (low !== order[place]) return;
    const component = open.splice(open.lastIndexOf(place));
    for (const member of component) isOpen.delete(member);
    if (component.length > 1) components.push(component);
  };
  for (let root = 0; root < count; root++) {
    const frames = order[root] === 0 ? [enter(root)] : [];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const to = next[frame.place]?.[frame.at++];
      if (to === undefined) {
        frames.pop();
        leave(frame, frames.at(-1));
      } else if (order[to] === 0) frames.push(enter(to));
      else if (isOpen.has(to)) lowest[frame.place] = Math.min(lowest[frame.place] ?? 0, order[to] ?? 0);
    }
  }
  return components;
}

interface Frame {
  readonly place: number;
  at: number;
}

function listNext(count: number, edges: readonly MemberEdge[]): readonly (readonly number[])[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) next[from]?.push(to);
  return next;
}

/** From how many places a shortest cycle is sought: in a component of thousands one that is nearly the shortest must do. */
const MOST_STARTS = 200;

function findShortest(group: readonly number[], inside: readonly MemberEdge[]): readonly number[] {
  const next = new Map<number, number[]>(group.map((place) => [place, []]));
  for (const { from, to } of inside) next.get(from)?.push(to);
  let best: readonly number[] = [];
  for (const start of [...group].sort((a, b) => a - b).slice(0, MOST_STARTS)) {
    const cycle = shortestThrough(next, start);
    if (best.length === 0 || (cycle.length > 0 && cycle.length < best.length)) best = cycle;
    if (best.length === 2) return best;
  }
  return best;
}

function shortestThrough(next: ReadonlyMap<number, readonly number[]>, start: number): readonly number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const place of queue) {
    for (const to of next.get(place) ?? []) {
      if (to === start) return chainTo(cameFrom, start, place);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, place);
      queue.push(to);
    }
  }
  return [];
}

function chainTo(cameFrom: ReadonlyMap<number, number>, start: number, end: number): readonly number[] {
  const chain = [end];
  for (let place = end; place !== start; chain.unshift(place)) place = cameFrom.get(place) ?? start;
  return chain;
}
