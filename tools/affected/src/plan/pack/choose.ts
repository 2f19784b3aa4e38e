import { type Cost, fewestForBest, fewestWithin, mostWorthwhile, type Outlook } from './count.js';
import { type Packing, type Sketch, sketchOf } from './pack.js';

/** The requested number of shards: fixed, the fewest within a time, or as many as are worthwhile. */
export interface SizeRequest {
  /** Seconds that each machine needs before it can begin. */
  readonly setupSeconds: number;
  readonly shards?: number;
  /** A limit of wall time, including set-up. If `shards` is given too, that decides. */
  readonly targetSeconds?: number;
  /** An upper limit in any case; at least 1. */
  readonly maxShards: number;
}

export interface Choice {
  readonly packing: Packing;
  /** The number of requested shards that would not make it faster, and are omitted. */
  readonly unused: number;
}

interface Planned {
  readonly packing: Packing;
}

/** A method to plan for a number of shards. */
export interface Planner<Plan extends Planned> {
  readonly planFor: (shards: number) => Plan;
  /** Estimates the result of the plan, much faster. */
  readonly sketchFor: (shards: number) => Sketch;
  /** A lower bound of every makespan, for any number of shards, in seconds. */
  readonly longest: number;
  /** The seconds of everything, each build once. */
  readonly total: number;
}

/** A choice, with the plan for it. */
interface Chosen<Plan> {
  readonly plan: Plan;
  readonly unused: number;
}

/** Finds the requested number of shards, and the plan for it. */
export function choosePlan<Plan extends Planned>(planner: Planner<Plan>, shardRequest: SizeRequest): Chosen<Plan> {
  const outlook = outlookOf(planner, shardRequest);
  const { shards, maxShards, targetSeconds } = shardRequest;
  if (shards === undefined) return chosenOf(outlook, Math.min(findCount(outlook, targetSeconds), maxShards));
  const asked = Math.min(shards, maxShards);
  const fewest = fewestWithin({ ...outlook, maxShards: asked }, outlook.costOf(asked).makespan) ?? asked;
  const chosen = chosenOf(outlook, fewest);
  const used = chosen.plan.packing.shards.length;
  return { ...chosen, unused: used === 0 ? 0 : asked - used };
}

/** Returns the plan with the fewest shards within a time, including set-up; `undefined` if there is none. */
export function planWithin<Plan extends Planned>(
  planner: Planner<Plan>,
  targetSeconds: number,
  shardRequest: SizeRequest,
): Chosen<Plan> | undefined {
  const outlook = outlookOf(planner, shardRequest);
  const shards = fewestWithin(outlook, targetSeconds - shardRequest.setupSeconds);
  return shards === undefined ? undefined : chosenOf(outlook, shards);
}

/** An outlook with access to the plans. */
interface Plans<Plan> extends Outlook {
  readonly planFor: (shards: number) => Plan;
}

function outlookOf<Plan extends Planned>(planner: Planner<Plan>, shardRequest: SizeRequest): Plans<Plan> {
  const planFor = remember(planner.planFor);
  const sketchFor = remember(planner.sketchFor);
  return {
    longest: planner.longest,
    total: planner.total,
    setupSeconds: shardRequest.setupSeconds,
    maxShards: shardRequest.maxShards,
    planFor,
    costOf: (shards) => costOf(sketchOf(planFor(shards).packing), shardRequest),
    roughCostOf: (shards) => costOf(sketchFor(shards), shardRequest),
  };
}

function remember<Result>(answer: (question: number) => Result): (question: number) => Result {
  const answers = new Map<number, Result>();
  return (question) => {
    const known = answers.get(question) ?? answer(question);
    answers.set(question, known);
    return known;
  };
}

function findCount(outlook: Outlook, targetSeconds: number | undefined): number {
  if (targetSeconds === undefined) return mostWorthwhile(outlook);
  return fewestWithin(outlook, targetSeconds - outlook.setupSeconds) ?? fewestForBest(outlook);
}

/** Returns the plan for a number of shards or, as with shared builds, one for fewer that is as fast. */
function chosenOf<Plan extends Planned>({ planFor }: Plans<Plan>, shards: number): Chosen<Plan> {
  const plans = [1, Math.ceil(shards / 2), shards - 1, shards].filter((count) => count >= 1).map(planFor);
  return { plan: plans.reduce((best, one) => (one.packing.makespan <= best.packing.makespan ? one : best)), unused: 0 };
}

function costOf({ shards, makespan, total }: Sketch, { setupSeconds }: SizeRequest): Cost {
  return { makespan, machineSeconds: total + shards * setupSeconds };
}
