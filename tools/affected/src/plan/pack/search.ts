import { boundOf } from './bound.js';
import { differencing } from './differencing.js';
import type { Filling } from './filling.js';
import { improve } from './improve.js';
import { placeInOrder } from './longest-first.js';
import { multifit } from './multifit.js';
import { type Problem, secondsAlone } from './problem.js';
import { shakeUp } from './shake.js';

/** Nobody knows to a ten-thousandth how long tests take. */
const CLOSE = 1.0001;

/**
 * The best of several ways, of which the first is LPT. The others are only tried while nothing is close to the bound, and win only if they
 * are better, so that their order decides ties.
 */
export function findPacking(problem: Problem): Filling {
  const bound = boundOf(problem);
  const enough = bound * CLOSE;
  const orders = ordersOf(problem);
  const placed = orders.map((order) => placeInOrder(problem, order));
  let best = placed.map((filling) => filling.settled()).reduce(better);
  for (const start of startsOf(problem, { placed, orders, bound })) {
    if (best.makespan() <= enough) break;
    const filling = start();
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

/** The longest items first: by what they take without any builds and, where that makes a difference, by what they take with all of them. */
function ordersOf(problem: Problem): readonly Int32Array[] {
  const alone = problem.seconds.map((_, item) => secondsAlone(problem, item));
  const withBuilds = problem.bySeconds.toSorted((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0) || a - b);
  return problem.bySeconds.every((item, at) => item === withBuilds[at]) ? [withBuilds] : [problem.bySeconds, withBuilds];
}

interface Known {
  readonly placed: readonly Filling[];
  readonly orders: readonly Int32Array[];
  readonly bound: number;
}

/** Where local search begins: it may change what it is given. */
function startsOf(problem: Problem, { placed, orders, bound }: Known): readonly (() => Filling | undefined)[] {
  const reached = Math.min(...placed.map((filling) => filling.makespan()));
  const fitted = orders.slice(-1).map((order) => () => multifit(problem, order, { bound, reached }));
  // It knows nothing of builds, and begins so far off then that no search makes up for it in time.
  const differenced = problem.buildSeconds.length === 0 ? [() => differencing(problem)] : [];
  return [...placed.map((filling) => () => filling), ...fitted, ...differenced];
}

/** The first, unless the second is shorter, or as short and keeps the machines busy for less. */
function better(first: Filling, second: Filling): Filling {
  const difference = second.makespan() - first.makespan() || second.total() - first.total();
  return difference < 0 ? second : first;
}
