import { Filling } from './filling.js';
import type { Problem } from './problem.js';
import { ROUNDING } from './scene.js';

/** Puts one item after the other where the load is least with it, in a given order of ranks: LPT, if the longest comes first. */
export function placeInOrder(problem: Problem, order: Iterable<number>): Filling {
  const filling = new Filling(problem);
  for (const item of order) filling.add(item, lightestWith(filling, item, problem));
  return filling;
}

/** The first of the shards whose load is least with an item, of those that allow it. */
export function lightestWith(filling: Filling, item: number, { seconds, shards }: Problem): number {
  let lightest = 0;
  let least = Number.POSITIVE_INFINITY;
  const own = seconds[item] ?? 0;
  for (let shard = 0; shard < shards; shard++) {
    const load = filling.loads[shard] ?? 0;
    // Builds come on top, so most shards need no closer look.
    if (load + own >= least || !filling.allows(item, shard)) continue;
    const grown = load + filling.cost(item, shard, least * (1 + ROUNDING) - load);
    if (grown >= least) continue;
    lightest = shard;
    least = grown;
  }
  return lightest;
}
