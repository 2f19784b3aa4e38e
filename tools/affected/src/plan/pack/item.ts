/** A unit that runs on one machine: the tests of a workspace, or one part of them. */
export interface Item {
  /** Unique; decides ties, by code unit. */
  readonly name: string;
  /** The seconds that it adds to the load of a machine; more than 0. */
  readonly seconds: number;
  /** Its seconds alone on a machine, if that is more: a machine with several tasks at once completes all of them in less. */
  readonly alone?: number;
  /** Indexes in `buildSeconds`: the builds that must precede it, including indirect ones. A machine makes each build once. */
  readonly builds: readonly number[];
  /** Items with the same value go to different shards, if there are as many shards as such items. */
  readonly apart?: string;
}

/** The items to spread over machines. */
export interface Load {
  readonly items: readonly Item[];
  /** The seconds of each build, by index; 0 or more. */
  readonly buildSeconds: readonly number[];
  /** Predicts the real seconds of a machine for items, by index, with all their builds; without it, loads are summed up. */
  readonly predict?: (places: readonly number[]) => number;
}

/** Sorts the longest first; ties by name. */
export function compareItems(a: Item | undefined, b: Item | undefined): number {
  return (b?.seconds ?? 0) - (a?.seconds ?? 0) || ((a?.name ?? '') < (b?.name ?? '') ? -1 : 1);
}

/** Returns the seconds of an item on its own machine. */
export function secondsAlone(item: Item, buildSeconds: readonly number[]): number {
  return aloneOf(item) + secondsToBuild(item.builds, buildSeconds);
}

/** Returns the same without its builds. */
export function aloneOf({ seconds, alone = seconds }: Item): number {
  return Math.max(seconds, alone);
}

/** Returns the seconds of all items on one machine. */
export function secondsTogether({ items, buildSeconds }: Load): number {
  const needed = new Set<number>();
  for (const { builds } of items) for (const build of builds) needed.add(build);
  return [...items].sort(compareItems).reduce((sum, item) => sum + item.seconds, secondsToBuild([...needed], buildSeconds));
}

/**
 * Returns the seconds to make builds, each once. It sorts them first, because a sum of fractions depends on the order, and no result may
 * depend on that of a list.
 */
export function secondsToBuild(builds: readonly number[], buildSeconds: readonly number[]): number {
  return [...new Set(builds)].sort((a, b) => a - b).reduce((sum, build) => sum + (buildSeconds[build] ?? 0), 0);
}

/** Returns 0 for an empty list. */
export function longestOf(times: readonly number[]): number {
  return times.reduce((longest, time) => Math.max(longest, time), 0);
}
