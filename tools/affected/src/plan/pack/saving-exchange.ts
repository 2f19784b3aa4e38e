import { type Exchange, isAllowed, type PackScene } from './scene.js';

/** Savings below this many machine seconds are rounding. */
const LEAST_SAVED = 1e-6;

/** Whether items may be swapped too. There are so many pairs that this is only for small problems. */
export type Exchanges = 'moves' | 'moves and swaps';

/**
 * Returns the exchange of an item that saves the most machine seconds, because others in its new shard already need its builds. Both loads
 * stay within `limit` seconds. `undefined` if none saves any. It looks for a swap only if the item alone has no room.
 */
export function bestSaving(
  scene: PackScene,
  item: number,
  { limit, exchanges }: { readonly limit: number; readonly exchanges: Exchanges },
): Exchange | undefined {
  const { problem, filling, members } = scene;
  const from = filling.shardOf[item] ?? 0;
  const gain = filling.gain(item, from);
  let most = LEAST_SAVED;
  let best: Exchange | undefined;
  for (let to = 0; to < problem.shards; to++) {
    const load = filling.loads[to] ?? 0;
    // Most shards need no closer look. The item that comes back in a swap may save time too.
    if (to === from || (exchanges === 'moves' && load + (problem.seconds[item] ?? 0) > limit)) continue;
    const enough = exchanges === 'moves' ? gain - most : gain;
    const cost = filling.cost(item, to, enough);
    if (cost >= enough || !filling.allows(item, to)) continue;
    const move = { from, to, item, back: -1 };
    const grown = load + cost;
    if (grown <= limit) {
      if (gain - cost <= most) continue;
      most = gain - cost;
      best = move;
    } else if (exchanges === 'moves and swaps') {
      const left = (filling.loads[from] ?? 0) - gain;
      for (const back of members[to] ?? []) {
        const newTo = grown - filling.gain(back, to) + filling.overlap(item, back, to);
        if (newTo > limit) continue;
        const newFrom = left + filling.cost(back, from) + filling.overlap(item, back, from);
        const saved = left + gain + grown - cost - newFrom - newTo;
        if (newFrom > limit || saved <= most || !isAllowed(filling, { ...move, back })) continue;
        most = saved;
        best = { ...move, back };
      }
    }
  }
  return best;
}
