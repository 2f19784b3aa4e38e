import { type Exchange, isAllowed, type PackScene, ROUNDING } from './scene.js';

/** The number of shards examined together, the lightest first. */
const AT_A_TIME = 16;

/** The most items examined per shard, spread over all lengths: among many, one is always nearly right. */
const ITEMS_OF_A_SHARD = 160;

/**
 * Returns the exchange between two shards that reduces the larger of their loads most; `undefined` if none does. With builds, the cost of
 * an item depends on the shard's content, so it examines every pair. It examines heavier shards only if no lighter one helps.
 */
export function bestExchange(scene: PackScene, from: number): Exchange | undefined {
  const { loads } = scene.filling;
  const byLoad = Int32Array.from(loads, (_, shard) => shard).sort((a, b) => (loads[a] ?? 0) - (loads[b] ?? 0) || a - b);
  for (let at = 0; at < byLoad.length; at += AT_A_TIME) {
    const best = bestWith(scene, from, byLoad.subarray(at, at + AT_A_TIME));
    if (best !== undefined) return best;
  }
  return undefined;
}

function bestWith(scene: PackScene, from: number, others: Int32Array): Exchange | undefined {
  const { filling, members } = scene;
  const load = filling.loads[from] ?? 0;
  const offers = some(members[from]).map((item) => ({ item, left: load - filling.gain(item, from) }));
  let least = load * (1 - ROUNDING);
  let best: Exchange | undefined;
  for (const to of others) {
    // Another shard with the same load may also become shorter, if builds are shared.
    if (to === from) continue;
    const other = filling.loads[to] ?? 0;
    const partners = some(members[to]).map((back) => ({ back, cost: filling.cost(back, from), gain: filling.gain(back, to) }));
    for (const { item, left } of offers) {
      const grown = other + filling.cost(item, to);
      if (Math.max(left, grown) < least && isAllowed(filling, { from, to, item, back: -1 })) {
        least = Math.max(left, grown);
        best = { from, to, item, back: -1 };
      }
      for (const { back, cost, gain } of partners) {
        // A build that both need remains, which makes the result longer, never shorter.
        if (left + cost >= least || grown - gain >= least) continue;
        const [newFrom, newTo] = [left + cost + filling.overlap(item, back, from), grown - gain + filling.overlap(item, back, to)];
        if (Math.max(newFrom, newTo) >= least || !isAllowed(filling, { from, to, item, back })) continue;
        least = Math.max(newFrom, newTo);
        best = { from, to, item, back };
      }
    }
  }
  return best;
}

function some(items: readonly number[] = []): readonly number[] {
  const step = Math.ceil(items.length / ITEMS_OF_A_SHARD);
  return step <= 1 ? items : items.filter((_, at) => at % step === 0);
}
