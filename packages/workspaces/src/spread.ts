import type { MemberEdge, MemberGraph } from './members.js';

/** How a change goes on from one member to those that depend on it. */
export interface SpreadPolicy {
  /** `terminal`: over an edge of dev dependencies it reaches the dependent, and goes no further from there. */
  readonly dev: 'transitive' | 'terminal';
  /** Dev edges that count as any other all the same, because the dependent is built with the dependency. */
  readonly builtWith?: (edge: MemberEdge) => boolean;
}

/** Where a change comes from: a member, and whether those that depend on it are affected too. */
export interface SpreadSeed {
  readonly place: number;
  readonly reach: 'dependents' | 'itself';
}

/** For every member that is affected and no seed, the edge that led to it, on one of the shortest ways. */
export type Reached = ReadonlyMap<number, MemberEdge>;

/** Walks from the seeds to all that depend on them, at any distance. Cycles are no trouble; the order of the seeds makes no difference to who is reached. */
export function spreadFrom(graph: MemberGraph, seeds: readonly SpreadSeed[], policy: SpreadPolicy): Reached {
  const reached = new Map<number, MemberEdge>();
  let level = [...new Set(seeds.filter(({ reach }) => reach === 'dependents').map(({ place }) => place))];
  const known = new Set(level);
  const ends = (edge: MemberEdge): boolean => edge.field === 'dev' && policy.dev === 'terminal' && policy.builtWith?.(edge) !== true;
  const last: MemberEdge[] = [];
  while (level.length > 0) {
    const next: number[] = [];
    for (const edges of graph.edgesTo(level)) {
      for (const edge of edges) {
        if (known.has(edge.from)) continue;
        if (ends(edge)) {
          last.push(edge);
          continue;
        }
        known.add(edge.from);
        reached.set(edge.from, edge);
        next.push(edge.from);
      }
    }
    level = next;
  }
  // Only now: a member may be reached over both kinds of edges, and then it goes on from there.
  for (const edge of last) if (!known.has(edge.from) && !reached.has(edge.from)) reached.set(edge.from, edge);
  return reached;
}

/** The way from a member to the seed it was reached from, both included. */
export function chainTo(reached: Reached, place: number): readonly number[] {
  const chain = [place];
  for (let edge = reached.get(place); edge !== undefined; edge = reached.get(edge.to)) chain.push(edge.to);
  return chain;
}
