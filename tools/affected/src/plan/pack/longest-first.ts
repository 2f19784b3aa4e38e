import { Filling } from './filling.js';
import type { Problem } from './problem.js';
import { ROUNDING } from './scene.js';

/**
 * Places items one by one into the shard with the least load afterwards, in a given order of ranks. With the longest first, this is LPT.
 */
export function placeInOrder(problem: Problem, order: Iterable<number>): Filling {
  const filling = new Filling(problem);
  for (const item of order) filling.add(item, lightestWith(filling, item, problem));
  return filling;
}

/** Returns the first of the shards with the least load with an item, among those that allow it. */
export function lightestWith(filling: Filling, item: number, { seconds, shards }: Problem): number {
  let lightest = 0;
  let least = Number.POSITIVE_INFINITY;
  const own = seconds[item] ?? 0;
  for (let shard = 0; shard < shards; shard++) {
    const load = filling.loads[shard] ?? 0;
    // Builds only add to it, so most shards need no closer look.
    if (load + own >= least || !filling.allows(item, shard)) continue;
    const grown = load + filling.cost(item, shard, least * (1 + ROUNDING) - load);
    if (grown >= least) continue;
    lightest = shard;
    least = grown;
  }
  return lightest;
}
