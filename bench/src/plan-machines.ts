import { type Load, secondsToBuild } from '@tributary/affected/plan/pack/item';

/** Machines that run several tasks in parallel. */
export interface Machines {
  readonly shards: number;
  /** The number of parallel tasks on a machine, none of them slower for it. */
  readonly atOnce: number;
}

/**
 * Returns the seconds of the slowest shard, without its set-up: all its work in parallel, or its longest chain of builds and a test.
 * `paths`: the time of that chain, by item.
 */
export function wallOf(
  load: Load,
  shards: readonly (readonly number[])[],
  { atOnce, paths }: { readonly atOnce: number; readonly paths: readonly number[] },
): number {
  return Math.max(
    ...shards.map((shard) => {
      const work = secondsOfTests(load, shard) + secondsOfBuilds(load, [shard]);
      return Math.max(work / atOnce, ...shard.map((place) => paths[place] ?? 0));
    }),
  );
}

function secondsOfTests({ items }: Load, shard: readonly number[]): number {
  return shard.reduce((sum, place) => sum + (items[place]?.seconds ?? 0), 0);
}

/** Returns the time of the builds in all shards, in seconds of sequential work. */
export function secondsOfBuilds({ items, buildSeconds }: Load, shards: readonly (readonly number[])[]): number {
  const needed = shards.map((shard) => shard.flatMap((place) => items[place]?.builds ?? []));
  return needed.reduce((sum, builds) => sum + secondsToBuild(builds, buildSeconds), 0);
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
