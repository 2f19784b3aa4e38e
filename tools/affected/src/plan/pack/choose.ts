import type { CurvePoint } from '../plan.js';
import { type Cost, fewestForBest, fewestWithin, mostWorthwhile, type Outlook, ROUNDING } from './count.js';
import { type Load, longestOf, secondsAlone, secondsTogether } from './item.js';
import { Packer, type Packing, type Sketch, sketchOf } from './pack.js';

/** The requested number of shards: fixed, the fewest within a time, or as many as are worthwhile. */
export interface SizeRequest {
  /** Seconds that each machine needs before it can begin. */
  readonly setupSeconds: number;
  readonly shards?: number;
  /** A limit of wall time, including set-up. If `shards` is given too, that decides, and this is only compared with the result. */
  readonly targetSeconds?: number;
  /** An upper limit in any case; at least 1. */
  readonly maxShards: number;
}

export interface Choice {
  readonly packing: Packing;
  /** Some numbers of shards around and up to that of the packing, which is among them; ascending. */
  readonly curve: readonly CurvePoint[];
  /** The number of requested shards that would not make it faster, and are omitted. */
  readonly unused: number;
  /** `none`: no time was requested. `out of reach`: the packing is nearly as fast as any, with as few shards as that takes. */
  readonly target: 'none' | 'met' | 'out of reach';
}

/** Packs a load as requested. Throws a `RangeError` for an invalid number of shards. */
export function chooseShards(load: Load, shardRequest: SizeRequest): Choice {
  const packer = new Packer(load);
  const planner = {
    planFor: (shards: number) => ({ packing: packer.pack(shards) }),
    sketchFor: (shards: number) => packer.sketch(shards),
    longest: longestOf(load.items.map((item) => secondsAlone(item, load.buildSeconds))),
    total: secondsTogether(load),
  };
  const { plan, ...rest } = choosePlan(planner, shardRequest);
  return { packing: plan.packing, ...rest };
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
  readonly curve: Choice['curve'];
  readonly unused: number;
  readonly target: Choice['target'];
}

/** Finds the requested number of shards, and the plan for it. */
export function choosePlan<Plan extends Planned>(planner: Planner<Plan>, shardRequest: SizeRequest): Chosen<Plan> {
  const outlook = outlookOf(planner, shardRequest);
  const { shards, maxShards, targetSeconds } = shardRequest;
  if (shards === undefined) return describe(outlook, Math.min(findCount(outlook, targetSeconds), maxShards), shardRequest);
  const asked = Math.min(shards, maxShards);
  const fewest = fewestWithin({ ...outlook, maxShards: asked }, outlook.costOf(asked).makespan) ?? asked;
  const chosen = describe(outlook, fewest, shardRequest);
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
  return shards === undefined ? undefined : describe(outlook, shards, shardRequest);
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

function describe<Plan extends Planned>({ planFor }: Plans<Plan>, shards: number, shardRequest: SizeRequest): Chosen<Plan> {
  const plans = [1, Math.ceil(shards / 2), shards - 1, shards].filter((count) => count >= 1).map(planFor);
  // With shared builds, a plan with fewer shards is sometimes faster.
  const plan = plans.reduce((best, one) => (one.packing.makespan <= best.packing.makespan ? one : best));
  const more = shards < shardRequest.maxShards ? [planFor(shards + 1)] : [];
  return { plan, curve: curveOf([...plans, ...more, plan], shardRequest), unused: 0, target: targetOf(plan, shardRequest) };
}

/**
 * Returns a point per number of shards, ascending. The last plan counts if several have the same number. Plans that are slower than
 * one with fewer shards are missing, because nobody would choose them.
 */
function curveOf(plans: readonly Planned[], shardRequest: SizeRequest): readonly CurvePoint[] {
  const points = new Map(plans.map((plan) => [plan.packing.shards.length, pointOf(plan, shardRequest)]));
  const ascending = [...points.values()].sort((a, b) => a.shards - b.shards);
  return ascending.filter((point, at) => ascending.slice(0, at).every((fewer) => point.wallSeconds <= fewer.wallSeconds));
}

function pointOf(plan: Planned, shardRequest: SizeRequest): CurvePoint {
  const { machineSeconds } = costOf(sketchOf(plan.packing), shardRequest);
  return { shards: plan.packing.shards.length, wallSeconds: wallOf(plan, shardRequest), machineSeconds };
}

function costOf({ shards, makespan, total }: Sketch, { setupSeconds }: SizeRequest): Cost {
  return { makespan, machineSeconds: total + shards * setupSeconds };
}

/** If nothing runs, there is no set-up. */
function wallOf({ packing: { shards, makespan } }: Planned, { setupSeconds }: SizeRequest): number {
  return shards.length === 0 ? 0 : setupSeconds + makespan;
}

function targetOf(plan: Planned, shardRequest: SizeRequest): Choice['target'] {
  if (shardRequest.targetSeconds === undefined) return 'none';
  return wallOf(plan, shardRequest) <= shardRequest.targetSeconds * ROUNDING ? 'met' : 'out of reach';
}
