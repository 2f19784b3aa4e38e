/** Sums of fractions that differ by less than this factor are the same. */
export const ROUNDING = 1 + 1e-9;

/** What a plan takes. */
export interface Cost {
  /** Seconds of the heaviest shard, set-up not included. */
  readonly makespan: number;
  /** Seconds of all shards together, set-ups included. */
  readonly machineSeconds: number;
}

/** What is known of the plans for all numbers of shards before any of them is made. */
export interface Outlook {
  /** Whole, and at least 1. */
  readonly maxShards: number;
  readonly setupSeconds: number;
  /** No makespan is below this, with however many shards. */
  readonly longest: number;
  /** Seconds of everything, each build once. */
  readonly total: number;
  /** Makes the plan for a number of shards; asked again, it costs nothing. */
  readonly costOf: (shards: number) => Cost;
  /** About what the plan would take, without making it. */
  readonly roughCostOf: (shards: number) => Cost;
}

/** The fewest shards whose makespan is so many seconds at most, as far as plans get better with more shards; `undefined`: none. */
export function fewestWithin(outlook: Outlook, seconds: number): number | undefined {
  const { maxShards, longest, total, costOf } = outlook;
  const limit = seconds * ROUNDING;
  if (longest > limit) return undefined;
  let shards = fewestRoughly(outlook, limit) ?? maxShards;
  if (costOf(shards).makespan > limit) return undefined;
  while (shards > 1 && total <= (shards - 1) * limit && costOf(shards - 1).makespan <= limit) shards--;
  return shards;
}

/** What nearly cannot be beaten is as good: seconds over seconds. */
const NEARLY = 1.01;

/** The fewest shards with which it is nearly as quick as with the most. */
export function fewestForBest(outlook: Outlook): number {
  return fewestRoughly(outlook, outlook.roughCostOf(outlook.maxShards).makespan * NEARLY) ?? outlook.maxShards;
}

function fewestRoughly({ maxShards, total, roughCostOf }: Outlook, limit: number): number | undefined {
  const isWithin = (shards: number): boolean => roughCostOf(shards).makespan <= limit;
  // Of nothing there is as much as one likes in no time.
  let low = total === 0 ? 1 : Math.max(1, Math.ceil(total / limit));
  let high = low;
  // Mostly the first is the one.
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
 * The number of shards up to which one more saves at least as much time as it costs on the machines: there wall time and machine time
 * together are least. Where one more saves nothing and two more do, it goes on.
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

/** After so many leaps in a row that made it dearer it will not get cheaper. */
const DEARER_LEAPS = 3;

/** The cheapest of 1, 2, 4, … and the most. Few shards first: plans for them are soon made. */
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

/** So many numbers of a span are looked at, before those around the best of them are. */
const LOOKS = 8;

function stepOver({ first, last }: Span): number {
  return Math.max(1, Math.ceil((last - first) / LOOKS));
}

/** Wall and machine time, in seconds. */
function priceOf({ setupSeconds }: Outlook, { makespan, machineSeconds }: Cost): number {
  return setupSeconds + makespan + machineSeconds;
}

/** What no plan for so many shards falls below. */
function leastPrice({ setupSeconds, longest, total }: Outlook, shards: number): number {
  return setupSeconds + Math.max(longest, total / shards) + shards * setupSeconds + total;
}

/** The least of them, where prices are the same. */
function cheapestOf(numbers: readonly number[], price: (shards: number) => number): number {
  const [first = 1, ...others] = [...numbers].sort((a, b) => a - b);
  return others.reduce((best, shards) => (price(shards) * ROUNDING < price(best) ? shards : best), first);
}

function numbersFrom({ first, last, step }: Span & { readonly step: number }): readonly number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}
