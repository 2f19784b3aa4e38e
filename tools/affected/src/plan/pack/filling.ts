import type { Problem } from './problem.js';

/** Shards during packing: the shard of each item, and the current loads. */
export class Filling {
  /** Seconds by shard. After removals, only as exact as sums of fractions are. */
  readonly loads: Float64Array;
  /** By rank; -1 for an item without a shard. */
  readonly shardOf: Int32Array;
  private readonly problem: Problem;
  /** The number of items in a shard that need a build: for shard 0 by build, then for shard 1, and so on. */
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

  /** Returns a copy with loads summed up afresh, longest item first. */
  settled(): Filling {
    const settled = new Filling(this.problem);
    for (const [item, shard] of this.shardOf.entries()) settled.add(item, shard);
    return settled;
  }

  /** Returns the seconds that an item would add to the load of a shard. It stops counting at `enough`. */
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

  /** Returns the seconds by which the load of its shard would shrink without an item. */
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

  /** Returns the seconds of builds that two items share, but no third one in the shard of either. Swapping them saves that much less. */
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

  /** Tells whether a shard contains nothing that must be apart from an item. */
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

  /** Returns the first of the shards with the largest load. */
  heaviest(): number {
    let heaviest = 0;
    for (let shard = 1; shard < this.loads.length; shard++) if ((this.loads[shard] ?? 0) > (this.loads[heaviest] ?? 0)) heaviest = shard;
    return heaviest;
  }

  makespan(): number {
    return this.loads[this.heaviest()] ?? 0;
  }

  /** Returns the sum over all shards, in seconds. */
  total(): number {
    return this.loads.reduce((sum, load) => sum + load, 0);
  }
}
