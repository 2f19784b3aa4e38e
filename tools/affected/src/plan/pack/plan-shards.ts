import { type Choice, choosePlan, type Planner, planWithin, type SizeRequest } from './choose.js';
import { aloneOf, longestOf, secondsToBuild, secondsTogether } from './item.js';
import { Packer, type Packing, type Sketch } from './pack.js';
import { mostPartsOf, type SplitItem, type Splittable, splitLong } from './split.js';

/** Predicts the seconds of a machine for items, with all their builds. */
export type Predict = (items: readonly SplitItem[]) => number;

/** The split items, and their shards. */
export interface ShardPlan {
  readonly items: readonly SplitItem[];
  /** Its packing holds indexes of `items`. */
  readonly choice: Choice;
}

/**
 * Decides which items to split into parts, and spreads them over machines. For a requested time, it splits items that are too long until
 * they fit. Otherwise it splits those that would keep the shards from being even. The order of items affects only their indexes. Throws a
 * `RangeError` for an invalid number of shards.
 */
export function planShards(
  items: readonly Splittable[],
  buildSeconds: readonly number[],
  { predict, ...shardRequest }: SizeRequest & { readonly predict?: Predict | undefined },
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

/** The facts about machines. */
interface Machines {
  readonly buildSeconds: readonly number[];
  readonly predict: Predict | undefined;
}

/** The input of the planning. */
interface Weighed {
  readonly items: readonly Weight[];
  readonly machines: Machines;
  /** With nothing split. */
  readonly whole: Cut;
  /** Seconds of the longest item on its own machine. */
  readonly longest: number;
  /** The seconds of everything, each build once. */
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

/** Items after splitting, ready to be packed. */
interface Cut {
  readonly items: readonly SplitItem[];
  readonly packer: Packer;
}

function cutOf(items: readonly SplitItem[], { buildSeconds, predict }: Machines): Cut {
  const load = { items: items.map(({ item }) => item), buildSeconds };
  if (predict === undefined) return { items, packer: new Packer(load) };
  return { items, packer: new Packer({ ...load, predict: (places) => predict(places.flatMap((place) => items[place] ?? [])) }) };
}

/** Plans with the same parts for every number of shards: none longer than the time without the set-up, as far as possible. */
function cutForTime(all: Weighed, targetSeconds: number, { setupSeconds, maxShards }: SizeRequest): Planner<CutPlan> {
  const seconds = targetSeconds - setupSeconds;
  const { items, packer } = cutLong(all, { longerThan: seconds, seconds, mostParts: maxShards });
  return {
    planFor: (shards) => ({ items, packing: packer.pack(shards) }),
    sketchFor: (shards) => packer.sketch(shards),
    longest: longestPart(all, maxShards),
    total: all.total,
  };
}

/** Plans with different parts for each number of shards. */
function cutForShards(all: Weighed, { maxShards }: SizeRequest): Planner<CutPlan> {
  return {
    planFor: (shards) => planEvenly(all, shards),
    sketchFor: (shards) => sketchEvenly(all, shards),
    longest: longestPart(all, maxShards),
    total: all.total,
  };
}

/** Splitting must save two percent, because it starts a runner once more. */
const WORTHWHILE = 1.02;

/** Splits items that are longer than an even share, or than those that cannot be split, if that makes the longest shard shorter. */
function planEvenly(all: Weighed, shards: number): CutPlan {
  const packed = ({ items, packer }: Cut): CutPlan => ({ items, packing: packer.pack(shards) });
  const cut = cutLong(all, cuttingFor(all, all.whole.packer.sketch(shards), shards));
  const plan = packed(cut);
  // Without splitting, no shard with the longest item is shorter than it. If that decides, packing everything unsplit is unnecessary.
  if (cut === all.whole || isWorthCutting(plan.packing, all.longest)) return plan;
  const whole = packed(all.whole);
  return isWorthCutting(plan.packing, whole.packing.makespan) ? plan : whole;
}

/**
 * Returns the load that the parts of an item add to that of the whole: its builds once more for each part, and the concurrency lost,
 * because nothing runs next to a part.
 */
function loadOfParts(weight: Weight, cutting: Cutting): number {
  const parts = cutOne(weight, cutting).length;
  const { item } = weight.one;
  return parts === 1 ? 0 : (parts - 1) * weight.building + aloneOf(item) - item.seconds;
}

function isWorthCutting({ makespan }: Pick<Sketch, 'makespan'>, uncut: number): boolean {
  return makespan * WORTHWHILE <= uncut;
}

/** Estimates the same without packing the parts, as if they made the shards even. */
function sketchEvenly(all: Weighed, shards: number): Sketch {
  const whole = all.whole.packer.sketch(shards);
  const cutting = cuttingFor(all, whole, shards);
  const more = all.items.reduce((sum, weight) => sum + loadOfParts(weight, cutting), 0);
  const total = whole.total + more;
  const makespan = Math.max(cutting.seconds, total / shards);
  return isWorthCutting({ makespan }, whole.makespan) ? { shards, makespan, total } : whole;
}

/**
 * Chooses how to split. The even share counts the builds that `whole` really makes: with each build counted once, the target would be too
 * small.
 */
function cuttingFor(all: Weighed, whole: Sketch, shards: number): Cutting {
  const seconds = Math.max(whole.total / shards, longestPart(all, shards));
  return { longerThan: seconds * WORTHWHILE, seconds, mostParts: shards };
}

/** Returns the seconds of the longest item on its own machine if everything is split into that many parts, as far as possible. */
function longestPart({ items }: Weighed, mostParts: number): number {
  return longestOf(items.map(({ one, building }) => building + aloneOf(one.item) / Math.min(mostPartsOf(one), mostParts)));
}

/** Items longer than `longerThan` seconds on their own machine are split into parts of `seconds`. */
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
