import { Filling } from './filling.js';
import { lightestWith } from './longest-first.js';
import type { Problem } from './problem.js';

/** Items that stay together, as a list linked by `next`. */
interface Pile {
  readonly seconds: number;
  readonly first: number;
  readonly last: number;
}

/** Piles for different shards, heaviest first; the remaining shards get none. */
type Spread = readonly Pile[];

/**
 * Packs by LDM, the method of Karmarkar and Karp for several shards: it joins the two most uneven spreads, heavy piles with light ones,
 * until one is left. It ignores builds that items share.
 */
export function differencing(problem: Problem): Filling {
  const next = new Int32Array(problem.count).fill(-1);
  const filling = new Filling(problem);
  for (const [shard, { first }] of lastSpread(problem, next).entries()) {
    for (let item = first; item !== -1; item = next[item] ?? -1) {
      filling.add(item, filling.allows(item, shard) ? shard : lightestWith(filling, item, problem));
    }
  }
  return filling;
}

function lastSpread({ seconds, shards }: Problem, next: Int32Array): Spread {
  const queue = Array.from(seconds, (own, item): Spread => [{ seconds: own, first: item, last: item }]);
  queue.sort((a, b) => byUnevenness(a, b, shards));
  for (;;) {
    const [heavy, light] = [queue.pop(), queue.pop()];
    if (heavy === undefined || light === undefined) return heavy ?? [];
    const joined = join(heavy, light, { shards, next });
    queue.splice(placeOf(queue, joined, shards), 0, joined);
  }
}

/** Sorts the most uneven spread last. */
function byUnevenness(a: Spread, b: Spread, shards: number): number {
  return unevenness(a, shards) - unevenness(b, shards) || (b[0]?.first ?? 0) - (a[0]?.first ?? 0);
}

function unevenness(spread: Spread, shards: number): number {
  return (spread[0]?.seconds ?? 0) - (spread[shards - 1]?.seconds ?? 0);
}

/** Returns the position of a spread in a sorted queue. */
function placeOf(queue: readonly Spread[], spread: Spread, shards: number): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byUnevenness(queue[middle] ?? [], spread, shards) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Joins the lightest pile of one, or nothing, with the heaviest of the other, and so on. */
function join(a: Spread, b: Spread, { shards, next }: { readonly shards: number; readonly next: Int32Array }): Spread {
  const untouched = a.slice(0, shards - b.length);
  const joined = b.map((pile, at) => pileUp(a[shards - 1 - at], pile, next));
  return [...untouched, ...joined].sort((one, other) => other.seconds - one.seconds || one.first - other.first);
}

function pileUp(lower: Pile | undefined, upper: Pile, next: Int32Array): Pile {
  if (lower === undefined) return upper;
  next[lower.last] = upper.first;
  return { seconds: lower.seconds + upper.seconds, first: lower.first, last: upper.last };
}
