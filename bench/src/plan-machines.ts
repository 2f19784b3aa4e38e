import { type Load, secondsToBuild } from '@tributary/affected/plan/pack/item';

/** Machines that run several tasks side by side. */
export interface Machines {
  readonly shards: number;
  /** How many tasks a machine runs at once, none of them slower for it. */
  readonly atOnce: number;
}

/**
 * Seconds of the slowest shard, without its set-up: all its work side by side, or its longest chain of builds and a test. `paths`: by item,
 * what that chain takes.
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

/** What all shards take for builds, in seconds of one task at once. */
export function secondsOfBuilds({ items, buildSeconds }: Load, shards: readonly (readonly number[])[]): number {
  const needed = shards.map((shard) => shard.flatMap((place) => items[place]?.builds ?? []));
  return needed.reduce((sum, builds) => sum + secondsToBuild(builds, buildSeconds), 0);
}

/**
 * By build: seconds of the longest chain of builds that ends with it. In made-up loads the build and the item of one number are of one
 * package: what a build depends on is what its item needs.
 */
export function longestChains({ items, buildSeconds }: Load): readonly number[] {
  const chains: number[] = [];
  for (const [build, { builds }] of items.entries()) {
    const before = builds.filter((other) => other !== build).map((other) => chains[other] ?? 0);
    chains.push(Math.max(0, ...before) + (builds.includes(build) ? (buildSeconds[build] ?? 0) : 0));
  }
  return chains;
}

/** By item: seconds of its longest chain of builds and of its tests. */
export function longestPaths(load: Load): readonly number[] {
  return longestChains(load).map((chain, place) => chain + (load.items[place]?.seconds ?? 0));
}
