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
}

/** The least number of shards whose makespan is so many seconds at most, as far as plans get better with more shards; `undefined`: none. */
export function fewestWithin(outlook: Outlook, seconds: number): number | undefined {
  const { maxShards, longest, total, costOf } = outlook;
  const isWithin = (shards: number): boolean => costOf(shards).makespan <= seconds * ROUNDING;
  if (longest > seconds * ROUNDING) return undefined;
  let low = Math.max(1, Math.ceil(total / (seconds * ROUNDING)));
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
  let best = cheapestOf(numbersFrom({ first: 1, last: outlook.maxShards, step: 1 }), (shards) => leastPrice(outlook, shards));
  let span = worthLooking(outlook, best);
  for (;;) {
    const step = Math.max(1, Math.ceil((span.last - span.first) / LOOKS));
    best = cheapestOf([best, ...numbersFrom({ ...span, step })], (shards) => priceOf(outlook, shards));
    if (step === 1) return best;
    span = { first: Math.max(span.first, best - step), last: Math.min(span.last, best + step) };
  }
}

/** So many plans are made to look over a span of numbers, before some of them are looked at more closely. */
const LOOKS = 8;

/** All numbers around one for which the least price is below what the plan for it costs. */
function worthLooking(outlook: Outlook, shards: number): { readonly first: number; readonly last: number } {
  const price = priceOf(outlook, shards);
  let [first, last] = [shards, shards];
  while (first > 1 && leastPrice(outlook, first - 1) < price) first--;
  while (last < outlook.maxShards && leastPrice(outlook, last + 1) < price) last++;
  return { first, last };
}

/** Wall and machine time, in seconds. */
function priceOf({ setupSeconds, costOf }: Outlook, shards: number): number {
  const { makespan, machineSeconds } = costOf(shards);
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

function numbersFrom({ first, last, step }: { readonly first: number; readonly last: number; readonly step: number }): readonly number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}
