import { boundOf } from './bound.js';
import { differencing } from './differencing.js';
import type { Filling } from './filling.js';
import { improve } from './improve.js';
import { placeInOrder } from './longest-first.js';
import { multifit } from './multifit.js';
import { type Problem, secondsAlone } from './problem.js';
import { saveBuilds } from './save-builds.js';
import { shakeUp } from './shake.js';

/** Test times are not known to a ten-thousandth. */
const CLOSE = 1.0001;

/** Returns the shortest packing that the search finds; among equally short ones, that with fewer repeated builds. */
export function findPacking(problem: Problem): Filling {
  const bound = boundOf(problem);
  return saveBuilds(problem, findShortest(problem, bound), bound * CLOSE);
}

/**
 * Returns the best result of several methods, the first of which is LPT. It tries the others only while no result is close to the bound.
 * They must be better to win, so their order decides ties.
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

/**
 * Packs by LPT alone: `findPacking` begins with it and never returns worse. It is usually a few percent longer, and takes a tenth of the
 * time.
 */
export function sketchPacking(problem: Problem): Filling {
  return placeInOrder(problem, problem.bySeconds);
}

/** A starting point of local search; some use the best result so far. `undefined`: there is no useful one. */
type Start = (best: Filling) => Filling | undefined;

function startsOf(problem: Problem, bound: number): readonly Start[] {
  const order = withBuilds(problem);
  const placed: Start = () => placeInOrder(problem, order);
  const fitted: Start = (best) => multifit(problem, order, { bound, reached: best.makespan() });
  // It ignores builds, and so begins too far off for local search to make up in time.
  const differenced: Start = () => (problem.buildSeconds.length === 0 ? differencing(problem) : undefined);
  return [(best) => best.settled(), ...(isSame(order, problem.bySeconds) ? [] : [placed]), fitted, differenced];
}

/** Returns the items, longest first, by their seconds with all builds. */
function withBuilds(problem: Problem): Int32Array {
  const alone = problem.seconds.map((_, item) => secondsAlone(problem, item));
  return problem.bySeconds.toSorted((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || a - b);
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  return one.every((item, at) => item === other[at]);
}

/** Returns the first, unless the second is shorter, or equally short with less total time. */
function better(first: Filling, second: Filling): Filling {
  const difference = second.makespan() - first.makespan() || second.total() - first.total();
  return difference < 0 ? second : first;
}
