/** Something that runs on one machine: the tests of a workspace, or one part of them. */
export interface Item {
  /** Unique; ties are broken by it, by code unit. */
  readonly name: string;
  /** What it adds to the load of a machine. More than 0. */
  readonly seconds: number;
  /** What it takes alone on a machine, where that is more: one that runs several tasks at once is done with all of them in less. */
  readonly alone?: number;
  /** Places in `buildSeconds`: what must be built before it, itself included. A machine builds each of them once. */
  readonly builds: readonly number[];
  /** Items that share this word stand in different shards, if there are as many shards as such items. */
  readonly apart?: string;
}

/** What is to be spread over machines. */
export interface Load {
  readonly items: readonly Item[];
  /** By place, 0 or more: what each build takes. */
  readonly buildSeconds: readonly number[];
  /** What a machine really takes for some items, by their places, with all that is built for them; without it the sum of the loads. */
  readonly predict?: (places: readonly number[]) => number;
}

/** The longest first, ties by name. */
export function compareItems(a: Item | undefined, b: Item | undefined): number {
  return (b?.seconds ?? 0) - (a?.seconds ?? 0) || ((a?.name ?? '') < (b?.name ?? '') ? -1 : 1);
}

/** What an item takes on a machine of its own, in seconds. */
export function secondsAlone(item: Item, buildSeconds: readonly number[]): number {
  return aloneOf(item) + secondsToBuild(item.builds, buildSeconds);
}

/** The same without its builds. */
export function aloneOf({ seconds, alone = seconds }: Item): number {
  return Math.max(seconds, alone);
}

/** What all items take on one machine, in seconds. */
export function secondsTogether({ items, buildSeconds }: Load): number {
  const needed = new Set<number>();
  for (const { builds } of items) for (const build of builds) needed.add(build);
  return [...items].sort(compareItems).reduce((sum, item) => sum + item.seconds, secondsToBuild([...needed], buildSeconds));
}

/** What it takes to build these, each once, in seconds. In order: a sum of fractions depends on it, and nothing here may depend on that of a list. */
export function secondsToBuild(builds: readonly number[], buildSeconds: readonly number[]): number {
  return [...new Set(builds)].sort((a, b) => a - b).reduce((sum, build) => sum + (buildSeconds[build] ?? 0), 0);
}

/** 0 of none. */
export function longestOf(times: readonly number[]): number {
  return times.reduce((longest, time) => Math.max(longest, time), 0);
}
