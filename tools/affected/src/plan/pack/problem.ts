import { compareItems, type Item, type Load } from './item.js';

/**
 * A load in numbers, for searching. Items are identified by rank: longest first, ties by name. So the numbers, and all results, do not
 * depend on the order of items in the load.
 */
export interface Numbers {
  readonly count: number;
  /** By rank: the seconds of the item, including builds that no other item needs; descending. */
  readonly seconds: Float64Array;
  /** Ranks in the order of the items' seconds without builds, longest first, ties by name. */
  readonly bySeconds: Int32Array;
  /** By rank: the shared builds of an item are in `needs` from `starts[rank]` to before `starts[rank + 1]`, ascending. */
  readonly starts: Int32Array;
  readonly needs: Int32Array;
  /** The seconds of the builds in `needs`; more than 0. */
  readonly buildSeconds: Float64Array;
  /** By rank: the index of the item in the load. */
  readonly places: Int32Array;
  /** By rank: items with the same word must be apart. */
  readonly words: readonly (string | undefined)[];
}

/** The same, for a number of shards. */
export interface Problem extends Numbers {
  /** At least 1, and at most the number of items. */
  readonly shards: number;
  /** By rank: a number that items have in common if they must go to different shards; -1 for the others. */
  readonly groups: Int32Array;
  readonly groupCount: number;
}

/** Throws a `RangeError` for an invalid number of shards. */
export function problemOf(numbers: Numbers, shards: number): Problem {
  if (!Number.isInteger(shards) || shards < 1) throw new RangeError(`${shards} is not a number of shards`);
  const useful = Math.max(1, Math.min(shards, numbers.count));
  return { ...numbers, shards: useful, ...groupsOf(numbers.words, useful) };
}

export function numbersOf({ items, buildSeconds }: Load): Numbers {
  const users = usersOf(items, buildSeconds);
  // Builds of few items come first, because a shard that lacks them is detected early.
  const usersOfBuild = (build: number): number => users[build]?.length ?? 0;
  const shared = [...users.keys()].filter((build) => usersOfBuild(build) > 1).sort((a, b) => usersOfBuild(a) - usersOfBuild(b) || a - b);
  const ranked = rank(items, secondsWithOwnBuilds(items, { users, buildSeconds }));
  const ranks = new Int32Array(items.length);
  for (const [rank, { place }] of ranked.entries()) ranks[place] = rank;
  return {
    count: items.length,
    seconds: Float64Array.from(ranked, ({ seconds }) => seconds),
    bySeconds: Int32Array.from(ranked.keys()).sort((a, b) => compareItems(ranked[a]?.item, ranked[b]?.item)),
    ...needsOf(
      ranks,
      shared.map((build) => users[build] ?? []),
    ),
    buildSeconds: Float64Array.from(shared, (build) => buildSeconds[build] ?? 0),
    places: Int32Array.from(ranked, ({ place }) => place),
    words: ranked.map(({ item }) => item.apart),
  };
}

/** Returns the seconds of an item on its own shard. */
export function secondsAlone({ seconds, starts, needs, buildSeconds }: Numbers, item: number): number {
  return needs.subarray(starts[item], starts[item + 1]).reduce((sum, build) => sum + (buildSeconds[build] ?? 0), seconds[item] ?? 0);
}

/** Returns by build the indexes of the items that need it, each once; none for builds without cost. */
function usersOf(items: readonly Item[], buildSeconds: readonly number[]): readonly (readonly number[])[] {
  const users = buildSeconds.map((): number[] => []);
  for (const [place, { builds }] of items.entries()) {
    for (const build of builds) {
      const known = users[build] ?? [];
      if ((buildSeconds[build] ?? 0) > 0 && known.at(-1) !== place) known.push(place);
    }
  }
  return users;
}

/** Returns seconds by index. Sums up by build, so that the order of an item's builds does not matter. */
function secondsWithOwnBuilds(
  items: readonly Item[],
  { users, buildSeconds }: { readonly users: readonly (readonly number[])[]; readonly buildSeconds: readonly number[] },
): Float64Array {
  const seconds = Float64Array.from(items, (item) => item.seconds);
  for (const [build, list] of users.entries()) {
    const [place = 0] = list;
    if (list.length === 1) seconds[place] = (seconds[place] ?? 0) + (buildSeconds[build] ?? 0);
  }
  return seconds;
}

interface Ranked {
  readonly item: Item;
  readonly place: number;
  readonly seconds: number;
}

function rank(items: readonly Item[], seconds: Float64Array): readonly Ranked[] {
  const ranked = items.map((item, place) => ({ item, place, seconds: seconds[place] ?? 0 }));
  return ranked.sort((a, b) => b.seconds - a.seconds || compareItems(a.item, b.item));
}

/** `users`: for each shared build the indexes of the items that need it. */
function needsOf(ranks: Int32Array, users: readonly (readonly number[])[]): Pick<Numbers, 'starts' | 'needs'> {
  const starts = new Int32Array(ranks.length + 1);
  for (const list of users) for (const place of list) raise(starts, (ranks[place] ?? 0) + 1, 1);
  for (let rank = 0; rank < ranks.length; rank++) raise(starts, rank + 1, starts[rank] ?? 0);
  const needs = new Int32Array(starts.at(-1) ?? 0);
  const filled = starts.slice();
  for (const [build, list] of users.entries()) {
    for (const place of list) {
      const rank = ranks[place] ?? 0;
      needs[filled[rank] ?? 0] = build;
      raise(filled, rank, 1);
    }
  }
  return { starts, needs };
}

function raise(numbers: Int32Array, at: number, by: number): void {
  numbers[at] = (numbers[at] ?? 0) + by;
}

/** `words`: by rank. Items are free if more share a word than there are shards, because they cannot all be apart. */
function groupsOf(words: readonly (string | undefined)[], shards: number): Pick<Problem, 'groups' | 'groupCount'> {
  const sizes = new Map<string, number>();
  for (const word of words) if (word !== undefined) sizes.set(word, (sizes.get(word) ?? 0) + 1);
  const kept = [...sizes].filter(([, size]) => size > 1 && size <= shards).map(([word]) => word);
  const numbers = new Map<string | undefined, number>(kept.map((word, number) => [word, number]));
  return { groups: Int32Array.from(words, (word) => numbers.get(word) ?? -1), groupCount: kept.length };
}
