import { Dice } from '@tributary/test-repo/dice';

/** How long to search: the number of random starts, and of shakes for each. */
interface Patience {
  readonly restarts: number;
  readonly shakes: number;
}

/**
 * Returns the shortest makespan that a long search finds for items without builds, in seconds. It has nothing in common with the tool's own
 * algorithm. It starts with items in random shards, improves that by moves and swaps, and moves a few of them at random again.
 */
export function searchLong(seconds: readonly number[], shards: number, { restarts, shakes }: Patience): number {
  const dice = new Dice(seconds.length + shards);
  let best = Number.POSITIVE_INFINITY;
  for (let restart = 0; restart < restarts; restart++) {
    let kept = seconds.map(() => dice.below(shards));
    let reached = descend(seconds, kept, shards);
    for (let shake = 0; shake < shakes; shake++) {
      const tried = [...kept];
      for (let thrown = 2 + dice.below(4); thrown > 0; thrown--) tried[dice.below(seconds.length)] = dice.below(shards);
      const makespan = descend(seconds, tried, shards);
      // Accepts equal results too, which gets it across plateaus.
      if (makespan > reached) continue;
      kept = tried;
      reached = makespan;
    }
    best = Math.min(best, reached);
  }
  return best;
}

/** Changes the shards of items until no move or swap out of the heaviest shard helps. Returns the makespan. */
function descend(seconds: readonly number[], shardOf: number[], shards: number): number {
  const loads = new Float64Array(shards);
  for (const [item, own] of seconds.entries()) loads[shardOf[item] ?? 0] = (loads[shardOf[item] ?? 0] ?? 0) + own;
  for (;;) {
    const from = loads.indexOf(Math.max(...loads));
    const step = bestStep(seconds, shardOf, { loads, from });
    if (step === undefined) return loads[from] ?? 0;
    shardOf[step.item] = step.to;
    if (step.back !== undefined) shardOf[step.back] = from;
    loads[from] = (loads[from] ?? 0) - step.shift;
    loads[step.to] = (loads[step.to] ?? 0) + step.shift;
  }
}

interface Step {
  readonly item: number;
  readonly to: number;
  readonly back: number | undefined;
  readonly shift: number;
}

function bestStep(
  seconds: readonly number[],
  shardOf: readonly number[],
  { loads, from }: { readonly loads: Float64Array; readonly from: number },
): Step | undefined {
  let best: Step | undefined;
  let most = 1e-9;
  const look = (step: Step): void => {
    const saved = Math.min(step.shift, (loads[from] ?? 0) - (loads[step.to] ?? 0) - step.shift);
    if (saved <= most) return;
    most = saved;
    best = step;
  };
  for (const [item, own] of seconds.entries()) {
    if (shardOf[item] !== from) continue;
    for (let to = 0; to < loads.length; to++) if (to !== from) look({ item, to, back: undefined, shift: own });
    for (const [back, other] of seconds.entries()) {
      const to = shardOf[back] ?? 0;
      if (to !== from) look({ item, to, back, shift: own - other });
    }
  }
  return best;
}
