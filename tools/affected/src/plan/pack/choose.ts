import { type Cost, fewestForBest, fewestWithin, mostWorthwhile, type Outlook, ROUNDING } from './count.js';
import { type Load, longestOf, secondsAlone, secondsTogether } from './item.js';
import { Packer, type Packing, type Sketch, sketchOf } from './pack.js';

/** What a number of shards would mean. */
export interface CurvePoint {
  readonly shards: number;
  /** Set-up and makespan. */
  readonly wallSeconds: number;
  /** Of all shards together, set-ups included. */
  readonly machineSeconds: number;
}

/** How many shards are wanted: a number, or as many as it takes for a time, or what is worthwhile. */
export interface ShardRequest {
  /** What each machine needs before it can begin. */
  readonly setupSeconds: number;
  readonly shards?: number;
  /** Of wall time, the set-up included. If `shards` is given too, that decides, and this is only held against it. */
  readonly targetSeconds?: number;
  /** Never more than this, whatever else is wished; at least 1. */
  readonly maxShards: number;
}

export interface Choice {
  readonly packing: Packing;
  /** Some numbers of shards around and up to the one of the packing, which is one of them; ascending. */
  readonly curve: readonly CurvePoint[];
  /** How many of the shards that were asked for would make it no quicker, and are left out. */
  readonly unused: number;
  /** `none`: no time was wished for. Out of reach: the packing is nearly as quick as any, with as few shards as that takes. */
  readonly target: 'none' | 'met' | 'out of reach';
}

/** Packs a load as wished. Throws a `RangeError` for a number of shards that is none. */
export function chooseShards(load: Load, shardRequest: ShardRequest): Choice {
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

/** A way to plan for a number of shards. */
export interface Planner<Plan extends Planned> {
  readonly planFor: (shards: number) => Plan;
  /** About what the plan will come to, much sooner. */
  readonly sketchFor: (shards: number) => Sketch;
  /** No makespan is below this, with however many shards. In seconds. */
  readonly longest: number;
  /** Seconds of everything, each build once. */
  readonly total: number;
}

/** A choice, with what was planned beside the packing. */
interface Chosen<Plan> {
  readonly plan: Plan;
  readonly curve: Choice['curve'];
  readonly unused: number;
  readonly target: Choice['target'];
}

/** Finds the number of shards that is wished for, and the plan for it. */
export function choosePlan<Plan extends Planned>(planner: Planner<Plan>, shardRequest: ShardRequest): Chosen<Plan> {
  const outlook = outlookOf(planner, shardRequest);
  const { shards, maxShards, targetSeconds } = shardRequest;
  if (shards === undefined) return describe(outlook, Math.min(findCount(outlook, targetSeconds), maxShards), shardRequest);
  const asked = Math.min(shards, maxShards);
  const fewest = fewestWithin({ ...outlook, maxShards: asked }, outlook.costOf(asked).makespan) ?? asked;
  const chosen = describe(outlook, fewest, shardRequest);
  const used = chosen.plan.packing.shards.length;
  return { ...chosen, unused: used === 0 ? 0 : asked - used };
}

/** The plan with the fewest shards that keeps to a time, set-up included; `undefined` if there is none. */
export function planWithin<Plan extends Planned>(
  planner: Planner<Plan>,
  targetSeconds: number,
  shardRequest: ShardRequest,
): Chosen<Plan> | undefined {
  const outlook = outlookOf(planner, shardRequest);
  const shards = fewestWithin(outlook, targetSeconds - shardRequest.setupSeconds);
  return shards === undefined ? undefined : describe(outlook, shards, shardRequest);
}

/** An outlook that knows the plans themselves. */
interface Plans<Plan> extends Outlook {
  readonly planFor: (shards: number) => Plan;
}

function outlookOf<Plan extends Planned>(planner: Planner<Plan>, shardRequest: ShardRequest): Plans<Plan> {
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

function describe<Plan extends Planned>({ planFor }: Plans<Plan>, shards: number, shardRequest: ShardRequest): Chosen<Plan> {
  const plans = [1, Math.ceil(shards / 2), shards - 1, shards].filter((count) => count >= 1).map(planFor);
  // Where builds are shared, one with fewer shards is sometimes found to be quicker.
  const plan = plans.reduce((best, one) => (one.packing.makespan <= best.packing.makespan ? one : best));
  const more = shards < shardRequest.maxShards ? [planFor(shards + 1)] : [];
  return { plan, curve: curveOf([...plans, ...more, plan], shardRequest), unused: 0, target: targetOf(plan, shardRequest) };
}

/** Of plans with as many shards the last one. What is slower than a plan with fewer shards is left out: it is nothing to shardRequest for. */
function curveOf(plans: readonly Planned[], shardRequest: ShardRequest): readonly CurvePoint[] {
  const points = new Map(plans.map((plan) => [plan.packing.shards.length, pointOf(plan, shardRequest)]));
  const ascending = [...points.values()].sort((a, b) => a.shards - b.shards);
  return ascending.filter((point, at) => ascending.slice(0, at).every((fewer) => point.wallSeconds <= fewer.wallSeconds));
}

function pointOf(plan: Planned, shardRequest: ShardRequest): CurvePoint {
  const { machineSeconds } = costOf(sketchOf(plan.packing), shardRequest);
  return { shards: plan.packing.shards.length, wallSeconds: wallOf(plan, shardRequest), machineSeconds };
}

function costOf({ shards, makespan, total }: Sketch, { setupSeconds }: ShardRequest): Cost {
  return { makespan, machineSeconds: total + shards * setupSeconds };
}

/** Where nothing runs, nothing is set up. */
function wallOf({ packing: { shards, makespan } }: Planned, { setupSeconds }: ShardRequest): number {
  return shards.length === 0 ? 0 : setupSeconds + makespan;
}

function targetOf(plan: Planned, shardRequest: ShardRequest): Choice['target'] {
  if (shardRequest.targetSeconds === undefined) return 'none';
  return wallOf(plan, shardRequest) <= shardRequest.targetSeconds * ROUNDING ? 'met' : 'out of reach';
}
