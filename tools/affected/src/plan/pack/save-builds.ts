import type { Filling } from './filling.js';
import { carryOut, improve, membersOf } from './improve.js';
import type { Problem } from './problem.js';
import { bestSaving, type Exchanges } from './saving-exchange.js';
import { ROUNDING } from './scene.js';

/** Factors by which shards may temporarily be longer: with fewer builds, exchanges then make them shorter than before. */
const SLACKS: readonly number[] = [1.01, 1.03, 1.02, 1.05];
/** The number of tries. Each takes a few milliseconds for 500 items. */
const TRIES = 12;
/** With more items there are too many pairs to examine within a second, so each item is only moved once. */
const MOST_ITEMS_SWAPPED = 600;

/**
 * Brings items together that need the same builds, so that fewer machines repeat them. Shards never become longer, and often shorter,
 * because fewer repeated builds leave room.
 */
export function saveBuilds(problem: Problem, start: Filling, enough: number): Filling {
  if (problem.buildSeconds.length === 0) return start;
  const tries = isSmall(problem) ? TRIES : 0;
  let best = start;
  for (let at = 0; at < tries && best.makespan() > enough; at++) {
    const tried = gather(problem, best, best.makespan() * (SLACKS[at % SLACKS.length] ?? 1));
    improve(problem, tried, enough);
    best = better(best, tried.settled());
  }
  return better(best, gather(problem, best, best.makespan() * (1 - ROUNDING)).settled());
}

/** Returns the second if it is shorter, or equally short with less total time. */
export function better(first: Filling, second: Filling): Filling {
  return (second.makespan() - first.makespan() || second.total() - first.total()) < 0 ? second : first;
}

/** Exchanges items as long as that saves machine time and no shard exceeds `limit` seconds. */
function gather(problem: Problem, start: Filling, limit: number): Filling {
  const filling = start.settled();
  const scene = { problem, filling, members: membersOf(problem, filling) };
  const exchanges: Exchanges = isSmall(problem) ? 'moves and swaps' : 'moves';
  // The first round saves most.
  for (let rounds = isSmall(problem) ? 2 : 1; rounds > 0; rounds--) {
    for (const item of lonelyFirst(problem, filling)) {
      const exchange = bestSaving(scene, item, { limit, exchanges });
      if (exchange !== undefined) carryOut(exchange, filling, scene.members);
    }
  }
  return filling;
}

function isSmall({ count }: Problem): boolean {
  return count <= MOST_ITEMS_SWAPPED;
}

/** Returns the items that are the only ones in their shard to need some build; those with the longest such builds first. */
function lonelyFirst({ seconds }: Problem, filling: Filling): Int32Array {
  const alone = seconds.map((own, item) => filling.gain(item, filling.shardOf[item] ?? 0) - own);
  const lonely = Int32Array.from(alone.keys()).filter((item) => (alone[item] ?? 0) > 0);
  return lonely.sort((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || a - b);
}
