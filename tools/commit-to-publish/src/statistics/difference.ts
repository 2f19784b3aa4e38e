import { type RandomGenerator, xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { type Interval, releaseIntervals } from './interval.js';
import { type PercentileMethod, percentile } from './percentile.js';
import { chanceByT, ROUNDING, restOf, type Sums, sumsOf, varianceOf } from './release-sums.js';
import { type ClusteredValue, countUpTo, type Releases, sortIntoReleases } from './releases.js';

/** How a percentile differs between two sets of values. */
export interface Difference {
  readonly before: number;
  readonly after: number;
  /** `after / before - 1`: -0.5 is half of what it was. */
  readonly change: number;
  /** Of `change`, 95 %; `undefined`: the percentile of a side has no interval, the change is not bounded, or a percentile is zero. */
  readonly interval: Interval | undefined;
}

interface DifferenceOptions {
  readonly share: number;
  readonly method?: PercentileMethod;
}

// Fixed: the same record gives the same comparison.
const SEED = 20_221_215;
/** How often releases are dealt out to the sides; of many releases less often, so that it takes a second and not a minute. */
const DEALS = 1999;
const DEALS_OF_MANY = 499;
const MANY_RELEASES = 2000;
/** A difference that more of the deals have by chance is none. A little below 5 %, so that false claims stay below 5 % in a count of some thousand pairs too. */
const DOUBT = 0.04;
/** Of sides whose releases differ in size: a few large releases may hold all of the slowest tenth, and Student's t claims twice as much then as it should. */
const DOUBT_OF_TAIL = 0.02;

/**
 * Returns the difference of one percentile, with its interval: all factors between the two sides that a permutation of releases does not rule out. `undefined` where one side has no
 * values. Zero lies outside of the interval exactly where no change at all is ruled out.
 */
export function differenceOf(
  before: readonly ClusteredValue[],
  after: readonly ClusteredValue[],
  { share, method }: DifferenceOptions,
): Difference | undefined {
  const sides = { before: sortIntoReleases(before), after: sortIntoReleases(after), share };
  const [old, now] = [sides.before, sides.after].map(({ values }) => percentile(values, share, method));
  if (old === undefined || now === undefined) return undefined;
  const change = old === 0 ? (now === 0 ? 0 : Number.POSITIVE_INFINITY) : now / old - 1;
  return { before: old, after: now, change, interval: old > 0 && now > 0 && areBounded(sides) ? intervalOf(sides, now / old) : undefined };
}

/** Whether the percentile of each side has an interval. What the releases of one side do not bound is not compared: 30 releases may hold few of the slowest tenth. */
export function areBounded({ before, after, share }: Sides): boolean {
  return [before, after].every((side) => releaseIntervals(side, [share])[0] !== undefined);
}

/** Two sides, and the percentile that is compared. */
export interface Sides {
  readonly before: Releases;
  readonly after: Releases;
  readonly share: number;
}

/** What no change at all is, as a factor. */
const NO_CHANGE = 1;

/** `found`: the factor that the percentiles differ by. A factor of 1 is a border of the search, so that the interval and the test of no change never disagree. */
function intervalOf(sides: Sides, found: number): Interval | undefined {
  const isChange = isRuledOut(sides, NO_CHANGE);
  const inside = isChange ? [found, found] : [Math.min(found, NO_CHANGE), Math.max(found, NO_CHANGE)];
  const outside = (isAbove: boolean): number | undefined => (isChange && found < NO_CHANGE === isAbove ? NO_CHANGE : undefined);
  const low = borderOf(sides, { inside: inside[0] ?? found, outside: outside(false), step: 1 / STEP });
  const high = borderOf(sides, { inside: inside[1] ?? found, outside: outside(true), step: STEP });
  // Nothing is shorter than no time at all.
  return high === undefined ? undefined : { low: (low ?? 0) - 1, high: high - 1 };
}

interface Search {
  /** A factor that is not ruled out. */
  readonly inside: number;
  /** One that is, if there is one already. */
  readonly outside: number | undefined;
  /** What the factor is multiplied with to find one that is. */
  readonly step: number;
}

const STEP = 4;
const MOST_STEPS = 7;
/** The border is found to half a percent. */
const PRECISION = 1.005;

/** The factor that is ruled out, next to one that is not; `undefined` where none is. */
function borderOf(sides: Sides, { inside, outside, step }: Search): number | undefined {
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
 * Whether a factor between the sides is ruled out: were it true, the sides would be alike without it, and any releases might be those after. So releases are dealt out to the sides at random; it is ruled out if no
 * more than 4 % of the deals differ by as much as the sides do. Compared is the share of changes up to the percentile of both sides together, in standard errors. Where releases are larger on one side, dealing them
 * out is not enough, for they are not alike: Student's t has to rule the factor out as well.
 */
export function isRuledOut({ before, after, share }: Sides, factor: number): boolean {
  const alike = { ...after, values: after.values.map((value) => value / factor) };
  const border = percentileOfBoth(before.values, alike.values, share);
  const counts = Float64Array.from([...releasesUpTo(before, border), ...releasesUpTo(alike, border)]);
  const sizes = Float64Array.from([...before.sizes, ...after.sizes]);
  // Which of the two sides is dealt out makes no difference, and the smaller one is dealt faster.
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

/** The percentile of two ascending sets together, by nearest rank. */
function percentileOfBoth(some: Float64Array, others: Float64Array, share: number): number {
  const both = new Float64Array(some.length + others.length);
  both.set(some);
  both.set(others, some.length);
  return percentile(both.sort(), share, 'nearest') ?? Number.NaN;
}

/** Releases of both sides together. */
interface Deal {
  /** How many changes of each release are up to the percentile. */
  readonly counts: Float64Array;
  readonly sizes: Float64Array;
  /** For Student's t. */
  readonly doubt: number;
  /** The first release of the side that is dealt out, and how many it has. */
  readonly from: number;
  readonly dealt: number;
}

function mayBeChance({ counts, sizes, doubt, from, dealt }: Deal): boolean {
  const places = Uint32Array.from(counts.keys());
  const deals = places.length > MANY_RELEASES ? DEALS_OF_MANY : DEALS;
  const most = DOUBT * (deals + 1);
  const sums = sumsOf({ counts, sizes, places }, 0, places.length);
  const all = { counts, sizes, places, dealt, sums };
  const { own, rest } = sidesOf(all, from);
  if (areUnlike(own, rest) && chanceByT(own, rest) > doubt) return true;
  const found = differenceIf(all, from) * (1 - ROUNDING);
  const generator = xoroshiro128plus(SEED);
  // What was found is one of the deals.
  let asLarge = 1;
  for (let one = 0; one < deals && asLarge <= most; one++) {
    deal(places, dealt, generator);
    if (differenceIf(all, 0) >= found) asLarge++;
  }
  return asLarge > most;
}

interface Dealt extends Omit<Deal, 'from' | 'doubt'> {
  /** The releases in the order in which they were dealt. */
  readonly places: Uint32Array;
  /** Over all releases. */
  readonly sums: Sums;
}

/**
 * Returns by how many standard errors the shares of the sides differ if the releases from one place on are one of them. A bare difference would claim too much where releases are small on one side and large on the
 * other (Chung and Romano 2013).
 */
function differenceIf(all: Dealt, from: number): number {
  const { own, rest } = sidesOf(all, from);
  const difference = Math.abs(own.count / own.size - rest.count / rest.size);
  return difference < ROUNDING ? 0 : difference / Math.sqrt(varianceOf(own) + varianceOf(rest));
}

/** The sums of the releases from one place on, and those of all others. */
function sidesOf(all: Dealt, from: number): { readonly own: Sums; readonly rest: Sums } {
  const own = sumsOf(all, from, from + all.dealt);
  return { own, rest: restOf(all.sums, own) };
}

/** Releases whose mean size differs by more than this. */
const UNLIKE = 1.5;

function areUnlike(some: Sums, others: Sums): boolean {
  const [one, other] = [some.size / some.releases, others.size / others.releases];
  return Math.max(one, other) > UNLIKE * Math.min(one, other);
}

/** Brings a random choice of so many places to the front. */
function deal(places: Uint32Array, count: number, generator: RandomGenerator): void {
  for (let at = 0; at < count; at++) {
    const other = at + numberBelow(places.length - at, generator);
    const place = places[at] ?? 0;
    places[at] = places[other] ?? 0;
    places[other] = place;
  }
}
