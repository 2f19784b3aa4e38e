import { type Problem, secondsAlone } from './problem.js';

/** Returns a lower bound of the makespan in seconds, apart from rounding of sums. Possibly no packing reaches it. */
export function boundOf(problem: Problem): number {
  return Math.max(longestAlone(problem), evenShare(problem), crowded(problem));
}

function longestAlone(problem: Problem): number {
  let longest = 0;
  for (let item = 0; item < problem.count; item++) longest = Math.max(longest, secondsAlone(problem, item));
  return longest;
}

/** Each build is made at least once. */
function evenShare({ seconds, buildSeconds, shards }: Problem): number {
  const add = (sum: number, one: number): number => sum + one;
  return seconds.reduce(add, buildSeconds.reduce(add, 0)) / shards;
}

/** Among the `k * shards + 1` longest items, some `k + 1` share a shard; at best, the shortest of them. */
function crowded({ seconds, shards, count }: Problem): number {
  let bound = 0;
  // With one shard, it contains all items: that is the even share.
  for (let k = 1; shards > 1 && k * shards < count; k++) {
    let together = 0;
    for (let item = k * shards - k; item <= k * shards; item++) together += seconds[item] ?? 0;
    bound = Math.max(bound, together);
  }
  return bound;
}
