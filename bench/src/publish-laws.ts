import type { ClusteredValue } from '@tributary/commit-to-publish/statistics/releases';

/** Returns numbers from 0 to below 1. */
export type Dice = () => number;

/** How long changes take: the one fact that a simulation knows and a report has to find. */
export interface Law {
  readonly name: string;
  /** In a sentence. */
  readonly says: string;
  /** A start for each number of releases, so that a cell is the same alone and among others. */
  readonly dice: (releases: number) => Dice;
  /** The lead times of the changes of one release, in hours; `changes`: how many a release has, on average. None for a release that nobody makes, because there is nothing to bring out. */
  readonly release: (dice: Dice, changes: number) => readonly number[];
}

const BETWEEN = 0.8;
const WITHIN = 0.6;
/** Changes of a release, on average, where nothing else is said. */
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

/** Three shapes of noise beside the log-normal one, and one law in which the size of a release says how long its changes waited. */
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
    says: 'changes come at any time and wait for the next release; releases are a log-normal time apart, so the slow ones are large.',
    dice: (releases) => diceOf(9000 + releases),
    release: (dice, changes) => {
      const apart = Math.exp(BETWEEN * normal(dice));
      return times(poisson(0.75 * changes * apart, dice), () => apart * (1 - dice()) * Math.exp(0.3 * normal(dice)));
    },
  },
];

/** So many releases, and how many changes each has, on average. */
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

/** The percentile of all changes that the law might bring, from so many releases that chance is no matter. */
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

/** Knuth's way, in parts so that nothing gets too small. */
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
