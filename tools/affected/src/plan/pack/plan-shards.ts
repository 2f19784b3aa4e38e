import { type Choice, choosePlan, type Planner, type Wish } from './choose.js';
import { secondsToBuild, secondsTogether } from './item.js';
import { type Packing, pack } from './pack.js';
import { mostPartsOf, type SplitItem, type Splittable, splitLong } from './split.js';

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
export function planShards(items: readonly Splittable[], buildSeconds: readonly number[], wish: Wish): ShardPlan {
  const all = weigh(items, buildSeconds);
  const inTime = wish.shards === undefined && wish.targetSeconds !== undefined ? choose(cutForTime(all, wish), wish) : undefined;
  return inTime?.choice.target === 'met' ? inTime : choose(cutForShards(all, wish), wish);
}

function choose(planner: Planner<CutPlan>, wish: Wish): ShardPlan {
  const { plan, ...choice } = choosePlan(planner, wish);
  return { items: plan.items, choice: { packing: plan.packing, ...choice } };
}

interface CutPlan {
  readonly items: readonly SplitItem[];
  readonly packing: Packing;
}

/** What is to be planned, with what it takes in seconds. */
interface Weighed {
  readonly items: readonly Weight[];
  readonly buildSeconds: readonly number[];
  /** Each build once. */
  readonly total: number;
}

interface Weight {
  readonly one: Splittable;
  /** All its builds. */
  readonly building: number;
  /** On a machine of its own. */
  readonly alone: number;
}

function weigh(items: readonly Splittable[], buildSeconds: readonly number[]): Weighed {
  const weights = items.map((one): Weight => {
    const building = secondsToBuild(one.item.builds, buildSeconds);
    return { one, building, alone: one.item.seconds + building };
  });
  return { items: weights, buildSeconds, total: secondsTogether({ items: items.map(({ item }) => item), buildSeconds }) };
}

/** The same parts for every number of shards: none longer than what the set-up leaves of the time, as far as that can be had. */
function cutForTime(all: Weighed, { targetSeconds = 0, setupSeconds, maxShards }: Wish): Planner<CutPlan> {
  const seconds = targetSeconds - setupSeconds;
  const items = cutLong(all, { longerThan: seconds, seconds, mostParts: maxShards });
  return { planFor: (shards) => packItems(all, items, shards), longest: longestPart(all, maxShards), total: all.total };
}

/** A cut has to save a fiftieth: it starts a runner once more. */
const WORTHWHILE = 1.02;

/** Other parts for each number of shards. */
function cutForShards(all: Weighed, { maxShards }: Wish): Planner<CutPlan> {
  return { planFor: (shards) => planEvenly(all, shards), longest: longestPart(all, maxShards), total: all.total };
}

/** Cuts what is longer than an even share, or than what cannot be cut, if that makes the longest shard shorter. */
function planEvenly(all: Weighed, shards: number): CutPlan {
  const whole = packItems(all, cutLong(all, { longerThan: Number.POSITIVE_INFINITY, seconds: 0, mostParts: 1 }), shards);
  // Of what is really built: a share of the builds, each counted once, would be too little to aim at.
  const share = whole.packing.loads.reduce((sum, load) => sum + load, 0) / shards;
  const seconds = Math.max(share, longestPart(all, shards));
  const items = cutLong(all, { longerThan: seconds * WORTHWHILE, seconds, mostParts: shards });
  if (items.length === all.items.length) return whole;
  const plan = packItems(all, items, shards);
  return plan.packing.makespan * WORTHWHILE <= whole.packing.makespan ? plan : whole;
}

/** What the longest item takes on a machine of its own, with everything cut into so many parts as far as it may be. */
function longestPart({ items }: Weighed, mostParts: number): number {
  return Math.max(0, ...items.map(({ one, building }) => building + one.item.seconds / Math.min(mostPartsOf(one), mostParts)));
}

/** What takes longer than `longerThan` on a machine of its own is cut, so that its parts take `seconds`. */
interface Cutting {
  readonly longerThan: number;
  readonly seconds: number;
  readonly mostParts: number;
}

function cutLong({ items }: Weighed, { longerThan, seconds, mostParts }: Cutting): readonly SplitItem[] {
  return items.flatMap(({ one, building, alone }) =>
    splitLong(
      [{ ...one, mostParts: Math.min(one.mostParts, mostParts) }],
      alone > longerThan ? seconds - building : Number.POSITIVE_INFINITY,
    ),
  );
}

function packItems({ buildSeconds }: Weighed, items: readonly SplitItem[], shards: number): CutPlan {
  return { items, packing: pack({ items: items.map(({ item }) => item), buildSeconds }, shards) };
}
