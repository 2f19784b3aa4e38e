import type { DependencyEdge, DependencyGraph } from './dependency-graph.js';
import { isObservedProof } from './observed-proof.js';

/** How a change goes on from one member to those that depend on it. */
export interface SpreadPolicy {
  /** `terminal`: over an edge of dev dependencies it reaches the dependent, and goes no further from there. */
  readonly dev: 'transitive' | 'terminal';
  /** Dev edges that count as any other all the same, because the dependent is built with the dependency. */
  readonly builtWith?: (edge: DependencyEdge) => boolean;
}

/** Where a change comes from: a member, and whether those that depend on it are affected too. */
export interface SpreadSeed {
  readonly place: number;
  readonly reach: 'dependents' | 'itself';
}

/** For every member that is reached from others the one edge that led to it, on one of the shortest paths; the nearest first. */
type Reached = readonly DependencyEdge[];

/** Walks from the seeds to all that depend on them, at any distance. Cycles are no trouble; the order of the seeds makes no difference to who is reached. */
export function spreadFrom(graph: DependencyGraph, seeds: readonly SpreadSeed[], policy: SpreadPolicy): Reached {
  const places = [...new Set(seeds.filter(({ reach }) => reach === 'dependents').map(({ place }) => place))];
  const reached: DependencyEdge[] = [];
  let level: readonly number[] = places;
  const known = new Set(level);
  const ends = (edge: DependencyEdge): boolean => edge.field === 'dev' && policy.dev === 'terminal' && policy.builtWith?.(edge) !== true;
  const last: DependencyEdge[] = [];
  while (level.length > 0) {
    const next: number[] = [];
    for (const place of level) {
      for (const edge of graph.dependents[place] ?? []) {
        if (known.has(edge.from)) continue;
        if (ends(edge)) {
          last.push(edge);
          continue;
        }
        known.add(edge.from);
        reached.push(edge);
        next.push(edge.from);
      }
    }
    level = next;
  }
  // Only now: a member may be reached over both kinds of edges, and then it goes on from there.
  for (const edge of last) {
    if (!known.has(edge.from)) reached.push(edge);
    known.add(edge.from);
  }
  return reached;
}

/** From a member to the seed it was reached from. */
export interface DependencyPath {
  /** Both included. */
  readonly names: readonly string[];
  readonly seed: number;
  /** Whether a step of it is an edge of `affected.edges`. */
  readonly isRead: boolean;
  /** The proof of the first step that only an observation shows. */
  readonly observed?: string | undefined;
}

function observedBy(proof: string | undefined, { observed }: DependencyPath): Pick<DependencyPath, 'observed'> {
  if (isObservedProof(proof)) return { observed: proof };
  return observed === undefined ? {} : { observed };
}

/** By place; none for who was not reached. Each is one name, and then the path of the member it was reached from, which was reached before. */
export function pathsFrom({ members }: Pick<DependencyGraph, 'members'>, reached: Reached): readonly (DependencyPath | undefined)[] {
  const paths = Array.from<DependencyPath | undefined>({ length: members.length });
  for (const { from, to, field, proof } of reached) {
    const rest: DependencyPath = paths[to] ?? { names: [members[to]?.name ?? ''], seed: to, isRead: false };
    // `...rest.names` would go from one name to the next, and grow the list as it goes.
    paths[from] = {
      names: [members[from]?.name ?? ''].concat(rest.names),
      seed: rest.seed,
      isRead: rest.isRead || field === 'read',
      ...observedBy(proof, rest),
    };
  }
  return paths;
}
