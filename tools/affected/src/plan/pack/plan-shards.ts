import { type Choice, choosePlan, type Planner, planWithin, type ShardRequest } from './choose.js';
import { aloneOf, longestOf, secondsToBuild, secondsTogether } from './item.js';
import { Packer, type Packing, type Sketch } from './pack.js';
import { mostPartsOf, type SplitItem, type Splittable, splitLong } from './split.js';

/** What a machine takes for some items, with all that is built for them, in seconds. */
export type Predict = (items: readonly SplitItem[]) => number;

/** What is cut, and what runs where. */
export interface ShardPlan {
  readonly items: readonly SplitItem[];
  /** Its packing holds places of `items`. */
  readonly choice: Choice;
}

/**
 * Decides what is cut into parts, and spreads all of it over machines. For a time that is wished for, what is too long for it is cut until
 * it fits; otherwise what would keep the shards from being even, were it whole. The order of the items makes no difference but for their
 * places. Throws a `RangeError` for a number of shards that is none.
 */
export function planShards(
  items: readonly Splittable[],
  buildSeconds: readonly number[],
  { predict, ...shardRequest }: ShardRequest & { readonly predict?: Predict | undefined },
): ShardPlan {
  const all = weigh(items, { buildSeconds, predict });
  const time = shardRequest.shards === undefined ? shardRequest.targetSeconds : undefined;
  const inTime = time === undefined ? undefined : planWithin(cutForTime(all, time, shardRequest), time, shardRequest);
  const { plan, ...choice } = inTime ?? choosePlan(cutForShards(all, shardRequest), shardRequest);
  return { items: plan.items, choice: { packing: plan.packing, ...choice } };
}

interface CutPlan {
  readonly items: readonly SplitItem[];
  readonly packing: Packing;
}

/** What is known of machines. */
interface Machines {
  readonly buildSeconds: readonly number[];
  readonly predict: Predict | undefined;
}

/** What is to be planned. */
interface Weighed {
  readonly items: readonly Weight[];
  readonly machines: Machines;
  /** With nothing cut. */
  readonly whole: Cut;
  /** Seconds of the longest item on a machine of its own. */
  readonly longest: number;
  /** Seconds of everything, each build once. */
  readonly total: number;
}

interface Weight {
  readonly one: Splittable;
  /** Seconds of all its builds. */
  readonly building: number;
}

function weigh(items: readonly Splittable[], machines: Machines): Weighed {
  const { buildSeconds } = machines;
  const weights = items.map((one) => ({ one, building: secondsToBuild(one.item.builds, buildSeconds) }));
  return {
    items: weights,
    machines,
    longest: longestOf(weights.map(({ one, building }) => aloneOf(one.item) + building)),
    whole: cutOf(splitLong(items, Number.POSITIVE_INFINITY), machines),
    total: secondsTogether({ items: items.map(({ item }) => item), buildSeconds }),
  };
}

/** What was cut or not, ready to be packed. */
interface Cut {
  readonly items: readonly SplitItem[];
  readonly packer: Packer;
}

function cutOf(items: readonly SplitItem[], { buildSeconds, predict }: Machines): Cut {
  const load = { items: items.map(({ item }) => item), buildSeconds };
  if (predict === undefined) return { items, packer: new Packer(load) };
  return { items, packer: new Packer({ ...load, predict: (places) => predict(places.flatMap((place) => items[place] ?? [])) }) };
}

/** The same parts for every number of shards: none longer than what the set-up leaves of the time, as far as that can be had. */
function cutForTime(all: Weighed, targetSeconds: number, { setupSeconds, maxShards }: ShardRequest): Planner<CutPlan> {
  const seconds = targetSeconds - setupSeconds;
  const { items, packer } = cutLong(all, { longerThan: seconds, seconds, mostParts: maxShards });
  return {
    planFor: (shards) => ({ items, packing: packer.pack(shards) }),
    sketchFor: (shards) => packer.sketch(shards),
    longest: longestPart(all, maxShards),
    total: all.total,
  };
}

/** Other parts for each number of shards. */
function cutForShards(all: Weighed, { maxShards }: ShardRequest): Planner<CutPlan> {
  return {
    planFor: (shards) => planEvenly(all, shards),
    sketchFor: (shards) => sketchEvenly(all, shards),
    longest: longestPart(all, maxShards),
    total: all.total,
  };
}

/** A cut has to save a fiftieth: it starts a runner once more. */
const WORTHWHILE = 1.02;

/** Cuts what is longer than an even share, or than what cannot be cut, if that makes the longest shard shorter. */
function planEvenly(all: Weighed, shards: number): CutPlan {
  const packed = ({ items, packer }: Cut): CutPlan => ({ items, packing: packer.pack(shards) });
  const cut = cutLong(all, cuttingFor(all, all.whole.packer.sketch(shards), shards));
  const plan = packed(cut);
  // Uncut, no shard with the longest item is shorter than that. Where this decides, there is no need to pack it all uncut.
  if (cut === all.whole || isWorthCutting(plan.packing, all.longest)) return plan;
  const whole = packed(all.whole);
  return isWorthCutting(plan.packing, whole.packing.makespan) ? plan : whole;
}

/** What the parts of an item add to the loads, beside what it adds whole: its builds once more for each, and what runs beside it and not beside them. */
function loadOfParts(weight: Weight, cutting: Cutting): number {
  const parts = cutOne(weight, cutting).length;
  const { item } = weight.one;
  return parts === 1 ? 0 : (parts - 1) * weight.building + aloneOf(item) - item.seconds;
}

function isWorthCutting({ makespan }: Pick<Sketch, 'makespan'>, uncut: number): boolean {
  return makespan * WORTHWHILE <= uncut;
}

/** The same without packing the parts, as if they made the shards even. */
function sketchEvenly(all: Weighed, shards: number): Sketch {
  const whole = all.whole.packer.sketch(shards);
  const cutting = cuttingFor(all, whole, shards);
  const more = all.items.reduce((sum, weight) => sum + loadOfParts(weight, cutting), 0);
  const total = whole.total + more;
  const makespan = Math.max(cutting.seconds, total / shards);
  return isWorthCutting({ makespan }, whole.makespan) ? { shards, makespan, total } : whole;
}

/** `whole`: what is really built counts for an even share. That of the builds, each made once, would be too little to aim at. */
function cuttingFor(all: Weighed, whole: Sketch, shards: number): Cutting {
  const seconds = Math.max(whole.total / shards, longestPart(all, shards));
  return { longerThan: seconds * WORTHWHILE, seconds, mostParts: shards };
}

/** What the longest item takes on a machine of its own, with everything cut into so many parts as far as it may be. In seconds. */
function longestPart({ items }: Weighed, mostParts: number): number {
  return longestOf(items.map(({ one, building }) => building + aloneOf(one.item) / Math.min(mostPartsOf(one), mostParts)));
}

/** What takes longer than `longerThan` seconds on a machine of its own is cut into parts that take `seconds` there. */
interface Cutting {
  readonly longerThan: number;
  readonly seconds: number;
  readonly mostParts: number;
}

function cutLong(all: Weighed, cutting: Cutting): Cut {
  const parts = all.items.map((weight) => cutOne(weight, cutting));
  return parts.every(({ length }) => length === 1) ? all.whole : cutOf(parts.flat(), all.machines);
}

function cutOne({ one, building }: Weight, { longerThan, seconds, mostParts }: Cutting): readonly SplitItem[] {
  const isLong = aloneOf(one.item) + building > longerThan;
  return splitLong([{ ...one, mostParts: Math.min(one.mostParts, mostParts) }], isLong ? seconds - building : Number.POSITIVE_INFINITY);
}
