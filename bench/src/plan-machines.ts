import type { Load } from '@tributary/affected/plan/pack/item';

/** Machines that run several tasks in parallel. */
export interface Machines {
  readonly shards: number;
  /** The number of parallel tasks on a machine, none of them slower for it. */
  readonly atOnce: number;
}

/**
 * Returns by build: seconds of the longest chain of builds that ends with it. In generated loads, the build and the item of one number
 * belong to one package. So the dependencies of a build are the builds that its item needs.
 */
export function longestChains({ items, buildSeconds }: Load): readonly number[] {
  const chains: number[] = [];
  for (const [build, { builds }] of items.entries()) {
    const before = builds.filter((other) => other !== build).map((other) => chains[other] ?? 0);
    chains.push(Math.max(0, ...before) + (builds.includes(build) ? (buildSeconds[build] ?? 0) : 0));
  }
  return chains;
}

/** Returns by item: seconds of its longest chain of builds and of its tests. */
export function longestPaths(load: Load): readonly number[] {
  return longestChains(load).map((chain, place) => chain + (load.items[place]?.seconds ?? 0));
}
