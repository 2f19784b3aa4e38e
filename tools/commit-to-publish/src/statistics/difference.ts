import { type RandomGenerator, xoroshiro128plus } from 'pure-rand';
import { type Interval, releaseIntervals } from './interval.js';
import { nearestRank, percentile } from './percentile.js';
import { chanceByT, ROUNDING, restOf, type Sums, sumsOf, varianceOf } from './release-sums.js';
import { type ClusteredValue, countUpTo, type Releases, sortIntoReleases } from './releases.js';

/** The difference of a percentile between two sets of values. */
export interface Difference {
  readonly before: number;
  readonly after: number;
  /**
   * `after / before - 1`: -0.5 is half of what it was. Infinite, which JSON writes as null, if `before` is 0.
   * @unknown is null
   */
  readonly change: number;
  /** Of `change`, 95 %; `undefined`: the percentile of a side has no interval, the change is not bounded, or a percentile is zero. */
  readonly interval: Interval | undefined;
}

// Fixed, so that the same record gives the same comparison.
const SEED = 20_221_215;
/** Number of random permutations; fewer for many releases, so that a comparison takes a second and not a minute. */
const DEALS = 1999;
const DEALS_OF_MANY = 499;
const MANY_RELEASES = 2000;
/**
 * If a larger share of the permutations differs as much, the difference counts as chance. A little below 5 %, so that false claims also
 * stay below 5 % when counted over thousands of pairs.
 */
const DOUBT = 0.04;
/**
 * The threshold of Student's t for other percentiles than P50. With releases of different sizes, a few large ones may hold all of the
 * slowest tenth. Student's t then claims twice as often as it should.
 */
const DOUBT_OF_TAIL = 0.02;

/**
 * Returns the difference of one percentile, or `undefined` if one side has no values.
 * The interval holds all factors between the sides that a permutation test of releases does not reject. Zero lies outside the interval
 * only if the test rejects "no change"; then it is at most the border of the interval, never inside.
 */
export function differenceOf(before: readonly ClusteredValue[], after: readonly ClusteredValue[], share: number): Difference | undefined {
  const sides = { before: sortIntoReleases(before), after: sortIntoReleases(after), share };
  const [old, now] = [sides.before, sides.after].map(({ values }) => percentile(values, share));
  if (old === undefined || now === undefined) return undefined;
  const change = old === 0 ? (now === 0 ? 0 : Number.POSITIVE_INFINITY) : now / old - 1;
  return { before: old, after: now, change, interval: old > 0 && now > 0 && areBounded(sides) ? intervalOf(sides, now / old) : undefined };
}

/** Whether the percentile of each side has an interval. What the releases of one side do not bound is not compared: 30 releases may hold few of the slowest tenth. */
export function areBounded({ before, after, share }: SampledSides): boolean {
  return [before, after].every((side) => releaseIntervals(side, [share])[0] !== undefined);
}

/** Two sides, and the percentile to compare. */
export interface SampledSides {
  readonly before: Releases;
  readonly after: Releases;
  readonly share: number;
}

/** The factor that means "no change". */
const NO_CHANGE = 1;

/**
 * `found` is the factor between the percentiles. The search uses factor 1 as a border, so that the interval never claims a change that
 * the test does not. The test may reject "no change" for equal percentiles, if many values are the same as they are and the rest moved.
 */
function intervalOf(sides: SampledSides, found: number): Interval | undefined {
  const isChange = found !== NO_CHANGE && isRuledOut(sides, NO_CHANGE);
  const inside = isChange ? [found, found] : [Math.min(found, NO_CHANGE), Math.max(found, NO_CHANGE)];
  const outside = (isAbove: boolean): number | undefined => (isChange && found < NO_CHANGE === isAbove ? NO_CHANGE : undefined);
  const low = borderOf(sides, { inside: inside[0] ?? found, outside: outside(false), step: 1 / STEP });
  const high = borderOf(sides, { inside: inside[1] ?? found, outside: outside(true), step: STEP });
  // No time is shorter than zero.
  return high === undefined ? undefined : { low: (low ?? 0) - 1, high: high - 1 };
}

interface Search {
  /** A factor that the test does not reject. */
  readonly inside: number;
  /** A factor that the test rejects, if one is known. */
  readonly outside: number | undefined;
  /** Multiplies the factor until the test rejects it. */
  readonly step: number;
}

const STEP = 4;
const MOST_STEPS = 7;
/** Relative precision of a border: 0.5 %. */
const PRECISION = 1.005;

/** Returns the rejected factor next to one that is not; `undefined` if no factor is rejected. */
function borderOf(sides: SampledSides, { inside, outside, step }: Search): number | undefined {
  let within = inside;
  let beyond = outside;
  for (let steps = 1; beyond === undefined && steps <= MOST_STEPS; steps++) {
    const factor = within * step;
    if (isRuledOut(sides, factor)) beyond = factor;
    else within = factor;
  }
  while (beyond !== undefined && Math.max(beyond / within, within / beyond) > PRECISION) {
    const middle = Math.sqrt(within * beyond);
    if (isRuledOut(sides, middle)) beyond = middle;
    else within = middle;
  }
  return beyond;
}

/**
 * Tells whether a permutation test rejects a factor between the sides.
 * Under the hypothesis, the sides are alike once the factor is divided out, so any releases could be those after. The test deals the
 * releases to the sides at random. It rejects the factor if at most 4 % of the deals differ as much as the sides do.
 * It compares the share of changes up to the common percentile, in standard errors. If releases are larger on one side, they are not
 * exchangeable, so Student's t must reject the factor as well.
 */
export function isRuledOut({ before, after, share }: SampledSides, factor: number): boolean {
  const alike = { ...after, values: after.values.map((value) => value / factor) };
  const border = percentileOfBoth(before.values, alike.values, share);
  const counts = Float64Array.from([...releasesUpTo(before, border), ...releasesUpTo(alike, border)]);
  const sizes = Float64Array.from([...before.sizes, ...after.sizes]);
  // Either side can be dealt with the same result; the smaller one is faster.
  const isFew = before.sizes.length <= after.sizes.length;
  return !mayBeChance({
    counts,
    sizes,
    doubt: share === 0.5 ? DOUBT : DOUBT_OF_TAIL,
    from: isFew ? 0 : before.sizes.length,
    dealt: isFew ? before.sizes.length : after.sizes.length,
  });
}

function releasesUpTo({ values, releaseOf, sizes }: Releases, limit: number): Float64Array {
  const counts = new Float64Array(sizes.length);
  const upTo = countUpTo(values, limit);
  for (let at = 0; at < upTo; at++) counts[releaseOf[at] ?? 0] = (counts[releaseOf[at] ?? 0] ?? 0) + 1;
  return counts;
}

/** Returns the percentile of two ascending sets together, by nearest rank. */
function percentileOfBoth(some: Float64Array, others: Float64Array, share: number): number {
  const both = new Float64Array(some.length + others.length);
  both.set(some);
  both.set(others, some.length);
  return nearestRank(both.sort(), share) ?? Number.NaN;
}

/** The releases of both sides together. */
interface Deal {
  /** The number of changes of each release up to the percentile. */
  readonly counts: Float64Array;
  readonly sizes: Float64Array;
  /** The significance level of Student's t. */
  readonly doubt: number;
  /** The first release of the side that is dealt, and its number of releases. */
  readonly from: number;
  readonly dealt: number;
}

function mayBeChance({ counts, sizes, doubt, from, dealt }: Deal): boolean {
  const indexes = Uint32Array.from(counts.keys());
  const deals = indexes.length > MANY_RELEASES ? DEALS_OF_MANY : DEALS;
  const most = DOUBT * (deals + 1);
  const sums = sumsOf({ counts, sizes, indexes }, 0, indexes.length);
  const all = { counts, sizes, indexes, dealt, sums };
  const { own, rest } = sidesOf(all, from);
  if (areUnlike(own, rest) && chanceByT(own, rest) > doubt) return true;
  const found = differenceIf(all, from) * (1 - ROUNDING);
  const generator = xoroshiro128plus(SEED);
  // The observed sides are one of the deals.
  let asLarge = 1;
  for (let one = 0; one < deals && asLarge <= most; one++) {
    deal(indexes, dealt, generator);
    if (differenceIf(all, 0) >= found) asLarge++;
  }
  return asLarge > most;
}

interface Dealt extends Omit<Deal, 'from' | 'doubt'> {
  /** The releases in dealt order. */
  readonly indexes: Uint32Array;
  /** Over all releases. */
  readonly sums: Sums;
}

/**
 * Returns by how many standard errors the shares differ if one side is the releases from a position on.
 * A plain difference would claim too much if releases are small on one side and large on the other (Chung and Romano 2013).
 */
function differenceIf(all: Dealt, from: number): number {
  const { own, rest } = sidesOf(all, from);
  const difference = Math.abs(own.count / own.size - rest.count / rest.size);
  return difference < ROUNDING ? 0 : difference / Math.sqrt(varianceOf(own) + varianceOf(rest));
}

/** Returns the sums of the dealt releases from one position on, and those of all others. */
function sidesOf(all: Dealt, from: number): { readonly own: Sums; readonly rest: Sums } {
  const own = sumsOf(all, from, from + all.dealt);
  return { own, rest: restOf(all.sums, own) };
}

/** The ratio of mean release sizes above which the sides are unlike. */
const UNLIKE = 1.5;

function areUnlike(some: Sums, others: Sums): boolean {
  const [one, other] = [some.size / some.releases, others.size / others.releases];
  return Math.max(one, other) > UNLIKE * Math.min(one, other);
}

/** Moves a random choice of `count` entries to the front. */
function deal(indexes: Uint32Array, count: number, generator: RandomGenerator): void {
  for (let at = 0; at < count; at++) {
    const other = at + numberBelow(indexes.length - at, generator);
    const moved = indexes[at] ?? 0;
    indexes[at] = indexes[other] ?? 0;
    indexes[other] = moved;
  }
}

/**
 * Returns a random whole number from 0 to below `limit`.
 * It scales 32 bits and accepts the bias: below 1000, the chances differ by less than one in a million. Rejection sampling would cost more.
 */
export function numberBelow(limit: number, generator: RandomGenerator): number {
  return (((generator.unsafeNext() >>> 0) / 2 ** 32) * limit) >>> 0;
}
