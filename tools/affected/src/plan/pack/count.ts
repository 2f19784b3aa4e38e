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
  /** A little more than what the plan would take, without making it. */
  readonly roughCostOf: (shards: number) => Cost;
}

/** The fewest shards whose makespan is so many seconds at most, as far as plans get better with more shards; `undefined`: none. */
export function fewestWithin(outlook: Outlook, seconds: number): number | undefined {
  const { maxShards, longest, total, costOf } = outlook;
  const limit = seconds * ROUNDING;
  if (longest > limit) return undefined;
  const rough = fewestRoughly(outlook, limit);
  if (rough === undefined && costOf(maxShards).makespan > limit) return undefined;
  let shards = rough ?? maxShards;
  while (total <= (shards - 1) * limit && costOf(shards - 1).makespan <= limit) shards--;
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
  let low = Math.max(1, Math.ceil(total / limit));
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
  let best = cheapestOf(numbersFrom({ first: 1, last: maxShards, step: 1 }), (shards) => leastPrice(outlook, shards));
  let span = worthLooking(outlook, { shards: best, price: roughPrice(best) });
  for (let step = stepOver(span); step > 0; step = step === 1 ? 0 : stepOver(span)) {
    best = cheapestOf([best, ...numbersFrom({ ...span, step })], roughPrice);
    span = { first: Math.max(span.first, best - step), last: Math.min(span.last, best + step) };
  }
  const close = numbersFrom({ first: Math.max(1, best - 1), last: Math.min(maxShards, best + 1), step: 1 });
  return cheapestOf(close, (shards) => priceOf(outlook, costOf(shards)));
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

/** All numbers around one for which the least price is below a price that can be had. */
function worthLooking(outlook: Outlook, { shards, price }: { readonly shards: number; readonly price: number }): Span {
  let [first, last] = [shards, shards];
  while (first > 1 && leastPrice(outlook, first - 1) < price) first--;
  while (last < outlook.maxShards && leastPrice(outlook, last + 1) < price) last++;
  return { first, last };
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
