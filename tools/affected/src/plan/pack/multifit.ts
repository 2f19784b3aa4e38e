import { Filling } from './filling.js';
import type { Problem } from './problem.js';

/** A search between two makespans, in seconds: one that no packing falls below, and one that is known to be reached. */
interface Range {
  readonly bound: number;
  readonly reached: number;
}

/** Halving stops here: the makespan is known to a thousandth. */
const FINE_ENOUGH = 1e-3;

/**
 * MULTIFIT: halves a range in search of the smallest makespan for which first-fit, in a given order of ranks, finds room for everything.
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

/** Each item into the first shard with room for it; `undefined` if one has none. */
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
