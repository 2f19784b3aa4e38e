import type { ClusteredValue } from '@tributary/commit-to-publish/statistics/releases';

/** Returns numbers from 0 to below 1. */
export type Dice = () => number;

/** A distribution of lead times: a simulation knows it and a report must find it. */
export interface Law {
  readonly name: string;
  /** In a sentence. */
  readonly says: string;
  /** Returns the dice for a number of releases, so that a cell is the same alone and among others. */
  readonly dice: (releases: number) => Dice;
  /**
   * Returns the lead times of the changes of one release, in hours; `changes`: the average number in a release. Empty for a release without
   * changes, which nobody would make.
   */
  readonly release: (dice: Dice, changes: number) => readonly number[];
}

const BETWEEN = 0.8;
const WITHIN = 0.6;
/** The default average number of changes in a release. */
export const CHANGES = 8;

/** Noise with mean 0 and standard deviation 1. */
const NOISE: Readonly<Record<string, (dice: Dice) => number>> = {
  normal,
  skewed: (dice) => exponential(dice) - 1,
  heavy: (dice) => normal(dice) / Math.sqrt(mean([0, 1, 2, 3], () => normal(dice) ** 2)) / Math.SQRT2,
  'two speeds': (dice) => (dice() < 0.8 ? -0.5 : 2) * 0.98 + 0.2 * normal(dice),
};

const SAYS: Readonly<Record<string, string>> = {
  normal: 'log-normal, releases and changes alike.',
  skewed: 'exponential noise on the logarithm: some releases and changes take much longer, none much shorter.',
  heavy: "Student's t with four degrees of freedom on the logarithm: outliers on both sides.",
  'two speeds': 'one of five releases, and one of five changes, is slow; the others are alike.',
};

/** Three shapes of noise beside the log-normal one, and one law in which the size of a release depends on how long its changes waited. */
export const LAWS: readonly Law[] = [
  ...Object.entries(NOISE).map(
    ([name, noise], number): Law => ({
      name,
      says: SAYS[name] ?? '',
      dice: (releases) => diceOf(1000 * number + releases),
      release: (dice, changes) => {
        const effect = BETWEEN * noise(dice);
        return times(poisson(changes, dice), () => Math.exp(effect + WITHIN * noise(dice)));
      },
    }),
  ),
  {
    name: 'rhythm',
    says: 'changes wait for the next release; the time between two is log-normal, so the slow ones are large.',
    dice: (releases) => diceOf(9000 + releases),
    release: (dice, changes) => {
      const apart = Math.exp(BETWEEN * normal(dice));
      return times(poisson(0.75 * changes * apart, dice), () => apart * (1 - dice()) * Math.exp(0.3 * normal(dice)));
    },
  },
];

/** The number of releases, and the average number of changes in each. */
export interface Shape {
  readonly releases: number;
  readonly changes: number;
}

export function drawReleases(law: Law, { releases, changes }: Shape, dice: Dice): readonly ClusteredValue[] {
  return times(releases, (release) => {
    let own = law.release(dice, changes);
    while (own.length === 0) own = law.release(dice, changes);
    return own.map((value) => ({ value, cluster: `release ${release}` }));
  }).flat();
}

const LARGE = 300_000;

/** Returns the percentile of all changes of a law, from so many releases that chance has no effect. */
export function truthOf(law: Law, share: number): number {
  const dice = law.dice(-1);
  const values: number[] = [];
  for (let release = 0; release < LARGE; release++) values.push(...law.release(dice, CHANGES));
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

/** Mulberry32: the same numbers on every machine. */
function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(dice: Dice): number {
  return Math.sqrt(2 * exponential(dice)) * Math.cos(2 * Math.PI * dice());
}

function exponential(dice: Dice): number {
  return -Math.log(1 - dice());
}

/** Knuth's algorithm, in parts so that no product becomes too small. */
function poisson(expected: number, dice: Dice): number {
  if (expected > 30) return poisson(30, dice) + poisson(expected - 30, dice);
  const limit = Math.exp(-expected);
  let count = 0;
  for (let product = dice(); product > limit; product *= dice()) count++;
  return count;
}

function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function mean(values: readonly number[], of: () => number): number {
  return values.reduce((sum) => sum + of(), 0) / values.length;
}
