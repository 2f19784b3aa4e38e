import { Filling } from './filling.js';
import type { Problem } from './problem.js';

/** A range of makespans in seconds: a lower bound, and one that was reached. */
interface Range {
  readonly bound: number;
  readonly reached: number;
}

/** The relative precision of the search. */
const FINE_ENOUGH = 1e-3;

/**
 * Packs by MULTIFIT: bisects a range for the smallest makespan at which first-fit, in a given order of ranks, places everything.
 * `undefined` if there is none below `reached`.
 */
export function multifit(problem: Problem, order: Int32Array, { bound, reached }: Range): Filling | undefined {
  let best: Filling | undefined;
  let [low, high] = [bound, reached];
  while (high - low > high * FINE_ENOUGH) {
    const room = (low + high) / 2;
    const filling = firstFit(problem, order, room);
    if (filling === undefined) low = room;
    else {
      best = filling;
      high = Math.min(room, filling.makespan());
    }
  }
  return best;
}

/** Places each item into the first shard with room; `undefined` if there is none for one. */
function firstFit(problem: Problem, order: Int32Array, room: number): Filling | undefined {
  const filling = new Filling(problem);
  for (const item of order) {
    const shard = firstWithRoom(filling, item, { problem, room });
    if (shard === undefined) return undefined;
    filling.add(item, shard);
  }
  return filling;
}

function firstWithRoom(
  filling: Filling,
  item: number,
  { problem, room }: { readonly problem: Problem; readonly room: number },
): number | undefined {
  const own = problem.seconds[item] ?? 0;
  for (let shard = 0; shard < problem.shards; shard++) {
    const load = filling.loads[shard] ?? 0;
    if (load + own <= room && filling.allows(item, shard) && load + filling.cost(item, shard) <= room) return shard;
  }
  return undefined;
}
