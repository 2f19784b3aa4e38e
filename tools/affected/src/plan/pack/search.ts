import { boundOf } from './bound.js';
import { Filling } from './filling.js';
import { improve } from './improve.js';
import { type Problem, secondsAlone } from './problem.js';
import { better, saveBuilds } from './save-builds.js';
import { ROUNDING } from './scene.js';

/** Test times are not known to a ten-thousandth. */
const CLOSE = 1.0001;

/**
 * Returns a packing by LPT, which exchanges then make shorter. Among equally short ones, it prefers fewer repeated builds. It is never
 * longer than LPT alone.
 */
export function findPacking(problem: Problem): Filling {
  const enough = boundOf(problem) * CLOSE;
  let best = sketchPacking(problem).settled();
  const others = () => placeInOrder(problem, withBuilds(problem));
  for (const start of [() => best.settled(), ...(problem.buildSeconds.length === 0 ? [] : [others])]) {
    if (best.makespan() <= enough) break;
    const filling = start();
    improve(problem, filling, enough);
    best = better(best, filling.settled());
  }
  return saveBuilds(problem, best, enough);
}

/** Packs by LPT alone. It is usually a few percent longer, and takes a tenth of the time. */
export function sketchPacking(problem: Problem): Filling {
  return placeInOrder(problem, problem.bySeconds);
}

/** Places items one by one into the shard with the least load afterwards, in a given order of ranks. */
function placeInOrder(problem: Problem, order: Iterable<number>): Filling {
  const filling = new Filling(problem);
  for (const item of order) filling.add(item, lightestWith(filling, item, problem));
  return filling;
}

/** Returns the first of the shards with the least load with an item, among those that allow it. */
function lightestWith(filling: Filling, item: number, { seconds, shards }: Problem): number {
  let lightest = 0;
  let least = Number.POSITIVE_INFINITY;
  const own = seconds[item] ?? 0;
  for (let shard = 0; shard < shards; shard++) {
    const load = filling.loads[shard] ?? 0;
    // Builds only add to it, so most shards need no closer look.
    if (load + own >= least || !filling.allows(item, shard)) continue;
    const grown = load + filling.cost(item, shard, least * (1 + ROUNDING) - load);
    if (grown >= least) continue;
    lightest = shard;
    least = grown;
  }
  return lightest;
}

/** Returns the items, longest first, by their seconds with all builds. */
function withBuilds(problem: Problem): Int32Array {
  const alone = problem.seconds.map((_, item) => secondsAlone(problem, item));
  return problem.bySeconds.toSorted((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || a - b);
}
