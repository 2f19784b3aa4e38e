import { type Exchange, isAllowed, type PackScene, ROUNDING } from './scene.js';

/**
 * Returns the exchange between two shards that reduces the larger of their loads most; `undefined` if none does. Only for a problem without
 * builds: loads change by the difference of items, so bisection finds the best partner.
 */
export function bestPlainExchange({ problem: { seconds, shards }, filling, members }: PackScene, from: number): Exchange | undefined {
  const load = filling.loads[from] ?? 0;
  let most = load * ROUNDING;
  let best: Exchange | undefined;
  for (let to = 0; to < shards; to++) {
    const gap = load - (filling.loads[to] ?? 0);
    // An exchange saves at most half of the gap.
    if (to === from || gap / 2 <= most) continue;
    const others = members[to] ?? [];
    for (const item of members[from] ?? []) {
      const own = seconds[item] ?? 0;
      const longer = countLonger(others, own - gap / 2, seconds);
      // Tries the last one longer than the ideal partner, and the first that is not; beyond the last, nothing comes back.
      for (let at = Math.max(longer - 1, 0); at <= longer; at++) {
        const back = at < others.length ? (others[at] ?? -1) : -1;
        const shift = back === -1 ? own : own - (seconds[back] ?? 0);
        const saved = Math.min(shift, gap - shift);
        if (saved <= most || !isAllowed(filling, { from, to, item, back })) continue;
        most = saved;
        best = { from, to, item, back };
      }
    }
  }
  return best;
}

function countLonger(items: readonly number[], wanted: number, seconds: Float64Array): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seconds[items[middle] ?? 0] ?? 0) > wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
