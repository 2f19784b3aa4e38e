import { boundOf } from './bound.js';
import type { Filling } from './filling.js';
import { aloneOf, compareItems, type Load, longestOf } from './item.js';
import { type Numbers, numbersOf, problemOf } from './problem.js';
import { findPacking, sketchPacking } from './search.js';

/** Which items run together. */
export interface Packing {
  /**
   * Places of items. Empty shards are left out. The longest shard first, ties by the name of its first item; within a shard the longest
   * item first, ties by name.
   */
  readonly shards: readonly (readonly number[])[];
  /** By shard: the seconds that a machine takes for its items and for what is built for them. */
  readonly loads: readonly number[];
  /** The seconds of the longest shard; 0 if there is none. */
  readonly makespan: number;
}

/**
 * Spreads items over at most so many shards, so that the heaviest takes as little as can be found. A pure function of the load, whatever
 * the order of its items. Throws a `RangeError` for a number of shards that is none.
 */
export function pack(load: Load, shards: number): Packing {
  return new Packer(load).pack(shards);
}

/**
 * No packing is shorter than this, in seconds, rounding apart: the longest item on a shard of its own, an even share of everything, or
 * the shortest of those that must share a shard. There may be none as short. Throws a `RangeError` for a number of shards that is none.
 */
export function lowerBound(load: Load, shards: number): number {
  return boundOf(problemOf(numbersOf(load), shards));
}

/** What a packing comes to. */
export interface Sketch {
  readonly shards: number;
  readonly makespan: number;
  /** Seconds of all shards together. */
  readonly total: number;
}

/** The same of a packing. */
export function sketchOf({ loads, makespan }: Packing): Sketch {
  return { shards: loads.length, makespan, total: loads.reduce((sum, load) => sum + load, 0) };
}

/** Packs one load for several numbers of shards. */
export class Packer {
  private readonly load: Load;
  private readonly numbers: Numbers;
  /** No shard with the longest item is shorter. In seconds. */
  private readonly longest: number;

  constructor(load: Load) {
    this.load = load;
    this.numbers = numbersOf(load);
    this.longest = longestOf(load.items.map(aloneOf));
  }

  pack(shards: number): Packing {
    const filling = findPacking(problemOf(this.numbers, shards));
    const filled = shardsOf(this.load, { filling, places: this.numbers.places });
    const loads = filled.map((shard) => shard.load);
    return { shards: filled.map((shard) => shard.items), loads, makespan: longestOf(loads) };
  }

  /** What `pack` would come to, or somewhat more, much sooner. */
  sketch(shards: number): Sketch {
    const problem = problemOf(this.numbers, shards);
    const filling = sketchPacking(problem);
    return { shards: problem.shards, makespan: Math.max(filling.makespan(), this.longest), total: filling.total() };
  }
}

interface Shard {
  readonly items: readonly number[];
  readonly load: number;
}

function shardsOf(
  { items, predict }: Load,
  { filling, places }: { readonly filling: Filling; readonly places: Int32Array },
): readonly Shard[] {
  const shards = Array.from(filling.loads, (load) => ({ load, items: [] as number[] }));
  for (const [rank, shard] of filling.shardOf.entries()) shards[shard]?.items.push(places[rank] ?? 0);
  const byLength = (a: number, b: number): number => compareItems(items[a], items[b]);
  for (const shard of shards) {
    shard.items.sort(byLength);
    if (predict !== undefined) shard.load = predict(shard.items);
  }
  const firstName = (shard: Shard): string => items[shard.items[0] ?? -1]?.name ?? '';
  return shards.filter((shard) => shard.items.length > 0).sort((a, b) => b.load - a.load || (firstName(a) < firstName(b) ? -1 : 1));
}
