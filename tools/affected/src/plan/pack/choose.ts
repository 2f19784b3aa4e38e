import { type Cost, fewestWithin, mostWorthwhile, type Outlook, ROUNDING } from './count.js';
import { type Load, secondsAlone, secondsTogether } from './item.js';
import { type Packing, pack } from './pack.js';

/** What a number of shards would mean. */
export interface CurvePoint {
  readonly shards: number;
  /** Set-up and makespan. */
  readonly wallSeconds: number;
  /** Of all shards together, set-ups included. */
  readonly machineSeconds: number;
}

/** How many shards are wanted: a number, or as many as it takes for a time, or what is worthwhile. */
export interface Wish {
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
  /** `none`: no time was wished for. Out of reach: the packing is nearly as quick as any, with as few shards as that takes. */
  readonly target: 'none' | 'met' | 'out of reach';
}

/** Packs a load as wished. Throws a `RangeError` for a number of shards that is none. */
export function chooseShards(load: Load, wish: Wish): Choice {
  const longest = Math.max(0, ...load.items.map((item) => secondsAlone(item, load.buildSeconds)));
  const { plan, ...rest } = choosePlan(
    { planFor: (shards) => ({ packing: pack(load, shards) }), longest, total: secondsTogether(load) },
    wish,
  );
  return { packing: plan.packing, ...rest };
}

interface Planned {
  readonly packing: Packing;
}

/** A way to plan for a number of shards. */
export interface Planner<Plan extends Planned> {
  readonly planFor: (shards: number) => Plan;
  /** No makespan is below this, with however many shards. In seconds. */
  readonly longest: number;
  /** Seconds of everything, each build once. */
  readonly total: number;
}

/** Finds the number of shards that is wished for, and the plan for it. */
export function choosePlan<Plan extends Planned>(planner: Planner<Plan>, wish: Wish): Omit<Choice, 'packing'> & { readonly plan: Plan } {
  const made = new Map<number, Plan>();
  const planFor = (shards: number): Plan => {
    const plan = made.get(shards) ?? planner.planFor(shards);
    made.set(shards, plan);
    return plan;
  };
  const outlook = { ...planner, ...wish, costOf: (shards: number) => costOf(planFor(shards), wish) };
  const shards = Math.min(wish.shards ?? findCount(outlook, wish.targetSeconds), wish.maxShards);
  const plan = planFor(shards);
  const around = [1, Math.ceil(shards / 2), shards - 1, shards + 1].filter((count) => count >= 1 && count <= wish.maxShards);
  return { plan, curve: curveOf([...around.map(planFor), plan], wish), target: targetOf(plan, wish) };
}

/** A plan that nearly cannot be beaten is as good as the best: seconds over seconds. */
const NEARLY = 1.01;

function findCount(outlook: Outlook, targetSeconds: number | undefined): number {
  // Nothing takes no time with any number.
  if (outlook.total === 0) return 1;
  if (targetSeconds === undefined) return mostWorthwhile(outlook);
  const within = fewestWithin(outlook, targetSeconds - outlook.setupSeconds);
  if (within !== undefined) return within;
  return fewestWithin(outlook, outlook.costOf(outlook.maxShards).makespan * NEARLY) ?? outlook.maxShards;
}

/** `plans`: of those with as many shards, the last one counts. */
function curveOf(plans: readonly Planned[], wish: Wish): readonly CurvePoint[] {
  const points = new Map(plans.map((plan) => [plan.packing.shards.length, pointOf(plan, wish)]));
  return [...points.values()].sort((a, b) => a.shards - b.shards);
}

function pointOf(plan: Planned, wish: Wish): CurvePoint {
  return { shards: plan.packing.shards.length, wallSeconds: wallOf(plan, wish), machineSeconds: costOf(plan, wish).machineSeconds };
}

function costOf({ packing: { loads, makespan } }: Planned, { setupSeconds }: Wish): Cost {
  return { makespan, machineSeconds: loads.reduce((sum, load) => sum + load, loads.length * setupSeconds) };
}

/** Where nothing runs, nothing is set up. */
function wallOf({ packing: { shards, makespan } }: Planned, { setupSeconds }: Wish): number {
  return shards.length === 0 ? 0 : setupSeconds + makespan;
}

function targetOf(plan: Planned, wish: Wish): Choice['target'] {
  if (wish.targetSeconds === undefined) return 'none';
  return wallOf(plan, wish) <= wish.targetSeconds * ROUNDING ? 'met' : 'out of reach';
}
