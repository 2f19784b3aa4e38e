import type { Filling } from './filling.js';
import { improve } from './improve.js';
import type { Problem } from './problem.js';

/** The number of shakes; fewer for many items, where exchanges alone come close to the bound. */
const MOST_SHAKES = 60;
const MOST_ITEMS_SETTLED = 6000;
/** The number of items moved per shake. */
const THROWN = 3;

/**
 * Continues where exchanges end: it moves a few items into other shards, improves the result, keeps it if it is no longer, and repeats. The
 * choice of items and shards is pseudo-random, and the same for the same problem.
 */
export function shakeUp(problem: Problem, start: Filling, enough: number): Filling {
  const shakes = Math.min(MOST_SHAKES, Math.floor(MOST_ITEMS_SETTLED / problem.count));
  let kept = start;
  for (let shake = 0; shake < shakes && kept.makespan() > enough; shake++) {
    const shaken = kept.settled();
    for (let thrown = shake * THROWN; thrown < (shake + 1) * THROWN; thrown++) throwOne(problem, shaken, thrown);
    improve(problem, shaken, enough);
    const settled = shaken.settled();
    // Accepts an equally good result too, because other exchanges may follow from it.
    if (settled.makespan() <= kept.makespan()) kept = settled;
  }
  return kept;
}

function throwOne(problem: Problem, filling: Filling, thrown: number): void {
  const item = Math.floor(scatter(thrown, ITEMS) * problem.count);
  const shard = Math.floor(scatter(thrown, SHARDS) * problem.shards);
  const from = filling.shardOf[item] ?? 0;
  if (from === shard || !filling.allows(item, shard)) return;
  filling.remove(item, from);
  filling.add(item, shard);
}

// The fractional parts of multiples of such numbers fill the range from 0 to 1 evenly, and never repeat.
const ITEMS = 0.7548776662466927;
const SHARDS = 0.5698402909980532;

function scatter(step: number, by: number): number {
  return ((step + 1) * by) % 1;
}
