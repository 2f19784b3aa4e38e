import { boundOf } from './bound.js';
import type { Filling } from './filling.js';
import { aloneOf, compareItems, type Load, longestOf } from './item.js';
import { type Numbers, numbersOf, problemOf } from './problem.js';
import { findPacking, sketchPacking } from './search.js';

/** The items of each shard. */
export interface Packing {
  /**
   * Indexes of items, without empty shards. The longest shard first, ties by the name of its first item; within a shard the longest item
   * first, ties by name.
   */
  readonly shards: readonly (readonly number[])[];
  /** By shard: the seconds of a machine for its items and their builds. */
  readonly loads: readonly number[];
  /** The seconds of the longest shard; 0 if there is none. */
  readonly makespan: number;
}

/**
 * Spreads items over at most `shards` shards, with a makespan as small as the search finds. A pure function of the load, independent of the
 * order of items. Throws a `RangeError` for an invalid number of shards.
 */
export function pack(load: Load, shards: number): Packing {
  return new Packer(load).pack(shards);
}

/**
 * Returns a lower bound of the makespan in seconds, apart from rounding. It is the longest item on its own shard, an even share, or the
 * shortest items that must share a shard. Possibly no packing reaches it. Throws a `RangeError` for an invalid number of shards.
 */
export function lowerBound(load: Load, shards: number): number {
  return boundOf(problemOf(numbersOf(load), shards));
}

/** The figures of a packing. */
export interface Sketch {
  readonly shards: number;
  readonly makespan: number;
  /** The seconds of all shards together. */
  readonly total: number;
}

/** Returns the figures of a packing. */
export function sketchOf({ loads, makespan }: Packing): Sketch {
  return { shards: loads.length, makespan, total: loads.reduce((sum, load) => sum + load, 0) };
}

/** Packs one load for several numbers of shards. */
export class Packer {
  private readonly load: Load;
  private readonly numbers: Numbers;
  /** A lower bound of every shard with the longest item, in seconds. */
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

  /** Estimates the figures of `pack`, or somewhat more, much faster. */
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
