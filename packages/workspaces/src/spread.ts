import type { DependencyEdge, DependencyGraph } from './dependency-graph.js';

/** The start of a change. */
export interface SpreadSeed {
  readonly member: number;
  /**
   * Who is affected too. `readers`: those that reach it by other means than a dependency of a manifest, with their dependents. `tests`: so
   * are those of them that may use its tests.
   */
  readonly reach: 'dependents' | 'readers' | 'tests' | 'itself';
}

/**
 * For every member reached from another, the edge that led to it on one of the shortest paths; nearest first. A member whose tests alone
 * were reached, which pass on to readers, may follow once more, as a whole.
 */
type Reached = readonly DependencyEdge[];

/**
 * Walks from the seeds to all their dependents, at any distance. Cycles are allowed. The order of the seeds does not change which members
 * are reached.
 */
export function spreadFrom(graph: DependencyGraph, seeds: readonly SpreadSeed[]): Reached {
  const startsOf = (wanted: SpreadSeed['reach']): readonly number[] =>
    seeds.filter(({ reach }) => reach === wanted).map(({ member }) => member);
  const whole = new Set(startsOf('dependents'));
  const partly = new Set([...startsOf('tests'), ...startsOf('readers')]);
  const reached: DependencyEdge[] = [];
  const queue = (['tests', 'readers', 'dependents'] as const).flatMap((reach) => startsOf(reach).map((member) => ({ member, reach })));
  // The loop also visits members that it adds to the queue.
  for (const { member, reach } of queue) {
    for (const edge of graph.dependents[member] ?? []) {
      if (!passes(edge, reach)) continue;
      const known = edge.via === 'tests' ? partly : whole;
      if (whole.has(edge.from) || known.has(edge.from)) continue;
      known.add(edge.from);
      reached.push(edge);
      queue.push({ member: edge.from, reach: edge.via === 'tests' ? 'tests' : 'dependents' });
    }
  }
  return reached;
}

/** Of what is no source, nothing passes a declared dependency. Edges of `affected.edges`, of paths and of turbo.json have no `via`. */
function passes({ proof, via }: DependencyEdge, reach: SpreadSeed['reach']): boolean {
  return reach === 'dependents' || (proof !== undefined && (via === undefined || (via === 'source' && reach === 'readers')));
}

/** The path from a member to the seed from which it was reached. */
export interface DependencyPath {
  /** Includes both ends. */
  readonly names: readonly string[];
  readonly seed: number;
  /** Whether a step is an edge of `affected.edges`. */
  readonly isRead: boolean;
}

/**
 * Returns the paths by index; `undefined` for members that were not reached. Each path is one name, followed by the path of a member that
 * was reached before.
 */
export function pathsFrom({ members }: Pick<DependencyGraph, 'members'>, reached: Reached): readonly (DependencyPath | undefined)[] {
  const paths = Array.from<DependencyPath | undefined>({ length: members.length });
  for (const { from, to, field } of reached) {
    const rest: DependencyPath = paths[to] ?? { names: [members[to]?.name ?? ''], seed: to, isRead: false };
    // `...rest.names` would iterate over the names and grow the list step by step.
    paths[from] = {
      names: [members[from]?.name ?? ''].concat(rest.names),
      seed: rest.seed,
      isRead: rest.isRead || field === 'read',
    };
  }
  return paths;
}
