import type { Shard } from '../plan/plan.js';

/** One job of an engine. It runs one shard, or several one after the other if the engine does not allow a job for each. */
export interface Leg {
  /** The id of its first shard. */
  readonly id: string;
  readonly shards: readonly Shard[];
}

/**
 * Groups shards into at most `most` legs; each next shard, longest first, goes to the leg with the least total time. Ordered by total time,
 * longest first, because engines start legs in this order.
 */
export function groupIntoLegs(shards: readonly Shard[], most: number): readonly Leg[] {
  const legs: { id: string; shards: Shard[]; seconds: number }[] = [];
  for (const shard of [...shards].sort((a, b) => b.seconds - a.seconds || (a.id < b.id ? -1 : 1))) {
    if (legs.length < most) {
      legs.push({ id: shard.id, shards: [shard], seconds: shard.seconds });
      continue;
    }
    const least = legs.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.shards.push(shard);
    least.seconds += shard.seconds;
  }
  return legs.sort((a, b) => b.seconds - a.seconds || (a.id < b.id ? -1 : 1)).map(({ id, shards: own }) => ({ id, shards: own }));
}

/** Returns the ids of a leg's shards as arguments of `affected run-shard`: `01 65`. */
export function shardIds({ shards }: Leg): string {
  return shards.map(({ id }) => id).join(' ');
}
