import { type Problem, secondsAlone } from './problem.js';

/** No packing has a smaller makespan, in seconds; rounding of the sums apart. There may be none with this one. */
export function boundOf(problem: Problem): number {
  return Math.max(longestAlone(problem), evenShare(problem), crowded(problem));
}

function longestAlone(problem: Problem): number {
  let longest = 0;
  for (let item = 0; item < problem.count; item++) longest = Math.max(longest, secondsAlone(problem, item));
  return longest;
}

/** Each build has to be made once at least. */
function evenShare({ seconds, buildSeconds, shards }: Problem): number {
  const add = (sum: number, one: number): number => sum + one;
  return seconds.reduce(add, buildSeconds.reduce(add, 0)) / shards;
}

/** Of the `k * shards + 1` longest items some `k + 1` share a shard, at best the shortest of them. */
function crowded({ seconds, shards, count }: Problem): number {
  let bound = 0;
  // In one shard are all: that is the even share.
  for (let k = 1; shards > 1 && k * shards < count; k++) {
    let together = 0;
    for (let item = k * shards - k; item <= k * shards; item++) together += seconds[item] ?? 0;
    bound = Math.max(bound, together);
  }
  return bound;
}
