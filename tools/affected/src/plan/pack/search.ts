import { boundOf } from './bound.js';
import { differencing } from './differencing.js';
import type { Filling } from './filling.js';
import { improve } from './improve.js';
import { placeInOrder } from './longest-first.js';
import { multifit } from './multifit.js';
import { type Problem, secondsAlone } from './problem.js';
import { saveBuilds } from './save-builds.js';
import { shakeUp } from './shake.js';

/** Nobody knows to a ten-thousandth how long tests take. */
const CLOSE = 1.0001;

/** The shortest shards that can be found, and among as short ones those that repeat fewer builds. */
export function findPacking(problem: Problem): Filling {
  const bound = boundOf(problem);
  return saveBuilds(problem, findShortest(problem, bound), bound * CLOSE);
}

/**
 * The best of several ways, of which the first is LPT. The others are only tried while nothing is close to the bound, and win only if they
 * are better, so that their order decides ties.
 */
function findShortest(problem: Problem, bound: number): Filling {
  const enough = bound * CLOSE;
  let best = sketchPacking(problem).settled();
  for (const start of startsOf(problem, bound)) {
    if (best.makespan() <= enough) return best;
    const filling = start(best);
    if (filling === undefined) continue;
    improve(problem, filling, enough);
    best = better(best, filling.settled());
  }
  return better(best, shakeUp(problem, best, enough));
}

/** LPT alone: what `findPacking` begins with and never makes worse. Some hundredths longer as a rule, and there in a tenth of the time. */
export function sketchPacking(problem: Problem): Filling {
  return placeInOrder(problem, problem.bySeconds);
}

/** Where local search begins; some know the best so far. `undefined`: there is nothing that is worth it. */
type Start = (best: Filling) => Filling | undefined;

function startsOf(problem: Problem, bound: number): readonly Start[] {
  const order = withBuilds(problem);
  const placed: Start = () => placeInOrder(problem, order);
  const fitted: Start = (best) => multifit(problem, order, { bound, reached: best.makespan() });
  // It knows nothing of builds, and begins so far off then that no search makes up for it in time.
  const differenced: Start = () => (problem.buildSeconds.length === 0 ? differencing(problem) : undefined);
  return [(best) => best.settled(), ...(isSame(order, problem.bySeconds) ? [] : [placed]), fitted, differenced];
}

/** The longest items first, by what they take with all their builds. */
function withBuilds(problem: Problem): Int32Array {
  const alone = problem.seconds.map((_, item) => secondsAlone(problem, item));
  return problem.bySeconds.toSorted((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || a - b);
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  return one.every((item, at) => item === other[at]);
}

/** The first, unless the second is shorter, or as short and keeps the machines busy for less. */
function better(first: Filling, second: Filling): Filling {
  const difference = second.makespan() - first.makespan() || second.total() - first.total();
  return difference < 0 ? second : first;
}
