import type { Problem } from './problem.js';

/** Shards while they are being filled: which item stands where, and what each shard takes by now. */
export class Filling {
  /** Seconds, by shard. After an item was taken out, as exact as sums of fractions are. */
  readonly loads: Float64Array;
  /** By rank; -1: nowhere yet. */
  readonly shardOf: Int32Array;
  private readonly problem: Problem;
  /** How many items of a shard need a build: that of shard 0 for each build, then those of shard 1. */
  private readonly uses: Int32Array;
  /** The same for groups. */
  private readonly kin: Int32Array;

  constructor(problem: Problem) {
    this.problem = problem;
    this.loads = new Float64Array(problem.shards);
    this.shardOf = new Int32Array(problem.count).fill(-1);
    this.uses = new Int32Array(problem.shards * problem.buildSeconds.length);
    this.kin = new Int32Array(problem.shards * problem.groupCount);
  }

  /** The same items in the same shards, the loads summed up anew, longest item first. */
  settled(): Filling {
    const settled = new Filling(this.problem);
    for (const [item, shard] of this.shardOf.entries()) settled.add(item, shard);
    return settled;
  }

  /** What the load of a shard grows by with an item that is not in it; no more of it is counted than it takes to reach `enough`. In seconds. */
  cost(item: number, shard: number, enough = Number.POSITIVE_INFINITY): number {
    const { seconds, starts, needs, buildSeconds } = this.problem;
    const offset = shard * buildSeconds.length;
    const end = starts[item + 1] ?? 0;
    let cost = seconds[item] ?? 0;
    for (let at = starts[item] ?? 0; at < end && cost < enough; at++) {
      const build = needs[at] ?? 0;
      if (this.uses[offset + build] === 0) cost += buildSeconds[build] ?? 0;
    }
    return cost;
  }

  /** What the load of its shard shrinks by without an item. */
  gain(item: number, shard: number): number {
    const { seconds, starts, needs, buildSeconds } = this.problem;
    const offset = shard * buildSeconds.length;
    const end = starts[item + 1] ?? 0;
    let gain = seconds[item] ?? 0;
    for (let at = starts[item] ?? 0; at < end; at++) {
      const build = needs[at] ?? 0;
      if (this.uses[offset + build] === 1) gain += buildSeconds[build] ?? 0;
    }
    return gain;
  }

  /** What two items both need, and no third in a shard where one of them stands: to swap them there saves so much less. In seconds. */
  overlap(one: number, other: number, shard: number): number {
    const { starts, needs, buildSeconds } = this.problem;
    const offset = shard * buildSeconds.length;
    const [end, otherEnd] = [starts[one + 1] ?? 0, starts[other + 1] ?? 0];
    let overlap = 0;
    let at = starts[one] ?? 0;
    let otherAt = starts[other] ?? 0;
    while (at < end && otherAt < otherEnd) {
      const build = needs[at] ?? 0;
      const otherBuild = needs[otherAt] ?? 0;
      if (build === otherBuild && this.uses[offset + build] === 1) overlap += buildSeconds[build] ?? 0;
      if (build <= otherBuild) at++;
      if (otherBuild <= build) otherAt++;
    }
    return overlap;
  }

  /** Whether nothing in a shard must be kept apart from an item. */
  allows(item: number, shard: number): boolean {
    const group = this.problem.groups[item] ?? -1;
    return group === -1 || this.kin[shard * this.problem.groupCount + group] === 0;
  }

  add(item: number, shard: number): void {
    this.loads[shard] = (this.loads[shard] ?? 0) + this.cost(item, shard);
    this.shardOf[item] = shard;
    this.count(item, shard, 1);
  }

  remove(item: number, shard: number): void {
    this.loads[shard] = (this.loads[shard] ?? 0) - this.gain(item, shard);
    this.shardOf[item] = -1;
    this.count(item, shard, -1);
  }

  private count(item: number, shard: number, change: 1 | -1): void {
    const { starts, needs, buildSeconds, groups, groupCount } = this.problem;
    const offset = shard * buildSeconds.length;
    const end = starts[item + 1] ?? 0;
    for (let at = starts[item] ?? 0; at < end; at++) {
      const place = offset + (needs[at] ?? 0);
      this.uses[place] = (this.uses[place] ?? 0) + change;
    }
    const group = groups[item] ?? -1;
    if (group === -1) return;
    const place = shard * groupCount + group;
    this.kin[place] = (this.kin[place] ?? 0) + change;
  }

  /** The first of the shards with the largest load. */
  heaviest(): number {
    let heaviest = 0;
    for (let shard = 1; shard < this.loads.length; shard++) if ((this.loads[shard] ?? 0) > (this.loads[heaviest] ?? 0)) heaviest = shard;
    return heaviest;
  }

  makespan(): number {
    return this.loads[this.heaviest()] ?? 0;
  }

  /** Of all shards together, in seconds. */
  total(): number {
    return this.loads.reduce((sum, load) => sum + load, 0);
  }
}
