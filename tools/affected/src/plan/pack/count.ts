/** Sums of fractions whose ratio is below this count as equal. */
export const ROUNDING = 1 + 1e-9;

/** The cost of a plan. */
export interface Cost {
  /** Seconds of the heaviest shard, without set-up. */
  readonly makespan: number;
  /** Seconds of all shards together, including set-ups. */
  readonly machineSeconds: number;
}

/** What is known of the plans for all numbers of shards before any is made. */
export interface Outlook {
  /** Whole, and at least 1. */
  readonly maxShards: number;
  readonly setupSeconds: number;
  /** A lower bound of every makespan, for any number of shards, in seconds. */
  readonly longest: number;
  /** The seconds of everything, each build once. */
  readonly total: number;
  /** Makes the plan for a number of shards; results are cached. */
  readonly costOf: (shards: number) => Cost;
  /** Estimates the cost of a plan without making it. */
  readonly roughCostOf: (shards: number) => Cost;
}

/** Returns the fewest shards with a makespan of at most `seconds`, if plans improve with more shards; `undefined` if there are none. */
export function fewestWithin(outlook: Outlook, seconds: number): number | undefined {
  const { maxShards, longest, total, costOf } = outlook;
  const limit = seconds * ROUNDING;
  if (longest > limit) return undefined;
  let shards = fewestRoughly(outlook, limit) ?? maxShards;
  if (costOf(shards).makespan > limit) return undefined;
  while (shards > 1 && total <= (shards - 1) * limit && costOf(shards - 1).makespan <= limit) shards--;
  return shards;
}

/** A makespan within this factor of the best counts as equally good. */
const NEARLY = 1.01;

/** Returns the fewest shards that are nearly as fast as the most. */
export function fewestForBest(outlook: Outlook): number {
  return fewestRoughly(outlook, outlook.roughCostOf(outlook.maxShards).makespan * NEARLY) ?? outlook.maxShards;
}

function fewestRoughly({ maxShards, total, roughCostOf }: Outlook, limit: number): number | undefined {
  const isWithin = (shards: number): boolean => roughCostOf(shards).makespan <= limit;
  // Without any work, one shard is enough.
  let low = total === 0 ? 1 : Math.max(1, Math.ceil(total / limit));
  let high = low;
  // Usually the first number fits.
  for (let step = 1; high <= maxShards && !isWithin(high); step *= 2) {
    low = high + 1;
    high = high === maxShards ? high + 1 : Math.min(high + step, maxShards);
  }
  if (high > maxShards) return undefined;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/**
 * Returns the number of shards at which wall time and machine time together are least. Up to it, one more shard saves at least as much as
 * it costs. If one more saves nothing but two more do, it continues.
 */
export function mostWorthwhile(outlook: Outlook): number {
  const { maxShards, costOf, roughCostOf } = outlook;
  const roughPrice = (shards: number): number => priceOf(outlook, roughCostOf(shards));
  let best = leap(outlook, roughPrice);
  let span = { first: Math.ceil(best / 2), last: Math.min(best * 2, maxShards) };
  for (let step = stepOver(span); step > 0; step = step === 1 ? 0 : stepOver(span)) {
    best = cheapestOf([best, ...numbersFrom({ ...span, step })], roughPrice);
    span = { first: Math.max(span.first, best - step), last: Math.min(span.last, best + step) };
  }
  const close = numbersFrom({ first: Math.max(1, best - 1), last: Math.min(maxShards, best + 1), step: 1 });
  return cheapestOf(close, (shards) => priceOf(outlook, costOf(shards)));
}

/** After this number of consecutive steps without a gain, more shards will not be cheaper. */
const DEARER_LEAPS = 3;

/** Returns the cheapest of 1, 2, 4, … and the maximum. Few shards first, because their plans are faster to make. */
function leap(outlook: Outlook, price: (shards: number) => number): number {
  let best = 1;
  let dearer = 0;
  for (let shards = 2; dearer < DEARER_LEAPS; shards *= 2) {
    const next = Math.min(shards, outlook.maxShards);
    if (leastPrice(outlook, next) < price(best) && price(next) * ROUNDING < price(best)) {
      best = next;
      dearer = 0;
    } else dearer++;
    if (next === outlook.maxShards) break;
  }
  return best;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** The number of values examined in a span, before those around the best one. */
const LOOKS = 8;

function stepOver({ first, last }: Span): number {
  return Math.max(1, Math.ceil((last - first) / LOOKS));
}

/** Returns wall and machine time together, in seconds. */
function priceOf({ setupSeconds }: Outlook, { makespan, machineSeconds }: Cost): number {
  return setupSeconds + makespan + machineSeconds;
}

/** Returns a lower bound of the price for a number of shards. */
function leastPrice({ setupSeconds, longest, total }: Outlook, shards: number): number {
  return setupSeconds + Math.max(longest, total / shards) + shards * setupSeconds + total;
}

/** Returns the number with the lowest price; at a tie, the smallest. */
function cheapestOf(numbers: readonly number[], price: (shards: number) => number): number {
  const [first = 1, ...others] = [...numbers].sort((a, b) => a - b);
  return others.reduce((best, shards) => (price(shards) * ROUNDING < price(best) ? shards : best), first);
}

function numbersFrom({ first, last, step }: Span & { readonly step: number }): readonly number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}
