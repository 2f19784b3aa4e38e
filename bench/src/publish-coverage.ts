import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresOf } from '@tributary/commit-to-publish/report/figures';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '@tributary/commit-to-publish/report/least';
import { areBounded, isRuledOut } from '@tributary/commit-to-publish/statistics/difference';
import { type ClusteredValue, sortIntoReleases } from '@tributary/commit-to-publish/statistics/releases';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { CHANGES, drawReleases, LAWS, type Law, type Shape, truthOf } from './publish-laws.js';

/** The number of draws for each cell of the table. */
export interface CoverageOptions {
  readonly draws: number;
}

/** The two sides of a pair. */
interface Sides {
  readonly before: Shape;
  readonly after: Shape;
}

const alike = (releases: number): Sides => {
  const shape = { releases, changes: CHANGES };
  return { before: shape, after: shape };
};

/** After a migration there are often more releases than before it, or fewer and larger ones. */
const unlike = (before: readonly [number, number], after: readonly [number, number]): Sides => {
  const [old, now] = [before, after].map(([releases, changes]) => ({ releases, changes }));
  return { before: old ?? NONE, after: now ?? NONE };
};
const NONE: Shape = { releases: 0, changes: 0 };

const SIDES: readonly Sides[] = [
  ...[4, 8, 14, 30, 100].map(alike),
  unlike([8, 8], [30, 8]),
  unlike([8, 1], [30, 20]),
  unlike([30, 1], [8, 20]),
  unlike([14, 2], [14, 16]),
  unlike([30, 1], [30, 8]),
  unlike([30, 1], [30, 20]),
  unlike([100, 1], [30, 20]),
];
/** With more releases a halved figure is almost always detected, and detecting it takes long. */
const MOST_FOR_POWER = 30;
const PERCENTILES = [
  { name: 'P50', share: 0.5, least: LEAST_FOR_P50 },
  { name: 'P90', share: 0.9, least: LEAST_FOR_P90 },
] as const;

/** The counts for one law, one pair of sides and one percentile. */
interface Cell {
  readonly law: string;
  readonly sides: Sides;
  readonly percentile: string;
  readonly draws: number;
  /** How often an interval was shown, and how often it contained the truth. */
  readonly shown: number;
  readonly covered: number;
  /** The number of pairs with equal truths for which a change was claimed. */
  readonly falseClaims: number;
  /** The number of pairs with a halved second truth that were called shorter. */
  readonly halvedClaims: number;
}

/**
 * Draws lead times with a known truth. Counts how often the intervals of a report contain it and what a comparison claims, with the
 * functions that both commands call.
 */
export function simulateCoverage({ draws }: CoverageOptions, onCell: (line: string) => void): readonly Cell[] {
  return LAWS.flatMap((law) => {
    const truths = PERCENTILES.map(({ share }) => truthOf(law, share));
    return SIDES.flatMap((sides) => {
      const found = countCells(law, { sides, draws, truths, seed: 0 });
      // Chance alone brings one of many cells above the bar: so many more pairs tell whether it was that.
      const cells = found.some(isAbove) ? countCells(law, { sides, draws: AGAIN * draws, truths, seed: 500_000 }) : found;
      for (const cell of cells) onCell(describeCell(cell));
      return cells;
    });
  });
}

const MOST_FALSE = 0.05;
/** How many times as many pairs a cell has that claimed more than it should. */
const AGAIN = 10;

function isAbove({ falseClaims, draws }: Cell): boolean {
  return falseClaims / draws > MOST_FALSE;
}

interface Setting {
  readonly sides: Sides;
  readonly draws: number;
  readonly truths: readonly number[];
  /** Other pairs for another one. */
  readonly seed: number;
}

function countCells(law: Law, { sides, draws, truths, seed }: Setting): readonly Cell[] {
  const dice = law.dice(seedOf(sides) + seed);
  const counts = PERCENTILES.map(() => ({ shown: 0, covered: 0, falseClaims: 0, halvedClaims: 0 }));
  for (let draw = 0; draw < draws; draw++) {
    const [before, after] = [drawReleases(law, sides.before, dice), drawReleases(law, sides.after, dice)];
    const halved = after.map(({ value, cluster }) => ({ value: value / 2, cluster }));
    const { p50, p90 } = figuresOf(before, 0);
    for (const [at, { share, least }] of PERCENTILES.entries()) {
      const count = counts[at];
      const truth = truths[at] ?? Number.NaN;
      if (count === undefined) continue;
      const interval = [p50, p90][at]?.interval;
      if (interval !== undefined) count.shown++;
      if (interval !== undefined && interval.low <= truth && truth <= interval.high) count.covered++;
      if (isClaimed(before, after, { share, least })) count.falseClaims++;
      if (sides.before.releases <= MOST_FOR_POWER && isClaimed(before, halved, { share, least })) count.halvedClaims++;
    }
  }
  return counts.map((count, at) => ({ law: law.name, sides, percentile: PERCENTILES[at]?.name ?? '', draws, ...count }));
}

function areAlike({ before, after }: Sides): boolean {
  return before === after;
}

function seedOf(sides: Sides): number {
  const { before, after } = sides;
  return areAlike(sides) ? before.releases : 1000 * before.releases + 100 * before.changes + after.releases + after.changes;
}

/** Returns `30`, or `8 of 1 : 30 of 20` if the sides differ: the number of releases, and of changes in each. */
function nameOf(sides: Sides): string {
  const [old, now] = [sides.before, sides.after].map(({ releases, changes }) => `${releases} of ${changes}`);
  return areAlike(sides) ? String(sides.before.releases) : `${old} : ${now}`;
}

/**
 * Returns whether zero is outside the interval of the change. A test of `differenceOf` keeps the two equal, and this takes a twentieth of
 * the time.
 */
function isClaimed(
  before: readonly ClusteredValue[],
  after: readonly ClusteredValue[],
  { share, least }: { readonly share: number; readonly least: number },
): boolean {
  const sides = { before: sortIntoReleases(before), after: sortIntoReleases(after), share };
  const isEnough = [sides.before, sides.after].every(({ values }) => values.length >= least);
  return isEnough && areBounded(sides) && isRuledOut(sides, 1);
}

function describeCell({ law, sides, percentile, draws, ...counts }: Cell): string {
  return `${law}, ${nameOf(sides)} releases, ${percentile}: ${JSON.stringify(counts)} of ${draws}`;
}

/** With fewer shown intervals, their coverage is meaningless. */
const LEAST_SHOWN = 40;

/**
 * Returns the cells that break a promise, each as a sentence. Coverage and false claims have a slack of three standard errors, so that
 * chance alone breaks none; power has none.
 */
export function brokenPromises(cells: readonly Cell[]): readonly string[] {
  const slack = (share: number, of: number): number => 3 * Math.sqrt((share * (1 - share)) / of);
  return cells.flatMap((cell) => {
    const { law, sides, percentile, draws, shown, covered, falseClaims, halvedClaims } = cell;
    const where = `${law}, ${nameOf(sides)} releases, ${percentile}`;
    return [
      ...(shown >= LEAST_SHOWN && covered / shown < 0.93 - slack(0.93, shown) ? [`${where}: covers ${percent(covered, shown)}`] : []),
      ...(falseClaims / draws > MOST_FALSE + slack(MOST_FALSE, draws)
        ? [`${where}: claims ${percent(falseClaims, draws)} without a reason`]
        : []),
      ...(percentile === 'P50' && areAlike(sides) && sides.before.releases === 30 && halvedClaims / draws < 0.75
        ? [`${where}: sees ${percent(halvedClaims, draws)} of halved medians`]
        : []),
    ];
  });
}

function percent(count: number, of: number): string {
  return of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} %`;
}

const FILE = 'bench/coverage.md';

/** Writes the documentation page with the table. */
export function writeCoveragePage(cells: readonly Cell[]): string {
  const [first] = cells;
  const rows = cells.map(({ law, sides, percentile, draws, shown, covered, falseClaims, halvedClaims }) =>
    [
      law,
      nameOf(sides),
      percentile,
      String(draws),
      areAlike(sides) ? percent(shown, draws) : '-',
      shown < LEAST_SHOWN || !areAlike(sides) ? '-' : percent(covered, shown),
      percent(falseClaims, draws),
      sides.before.releases > MOST_FOR_POWER ? '-' : percent(halvedClaims, draws),
    ].join(' | '),
  );
  const broken = brokenPromises(cells);
  const laws = LAWS.map(({ name, says }) => `- **${name}**: ${says}`);
  writeFileSync(
    join(findProjectRoot(), FILE),
    [
      '<!-- Generated by `npm run bench:publish -- --coverage`. Do not edit. -->',
      '',
      '# How often the intervals hold',
      '',
      `\`npm run bench:publish -- --coverage\` draws ${first?.draws ?? 0} pairs of lead times for each row. The truth of each pair is known.`,
      'The bench calls the functions that `report` and `compare` call, and checks on one pair that the command line gives the',
      'same figures. Effects of releases have a standard deviation of 0.8 on the logarithm, changes within a release 0.6.',
      '',
      ...laws,
      '',
      '**Shown** is how often there is an interval. **Covers** is how often a shown interval holds the truth. **False claims**',
      'is how often `compare` claims a change between two sides with the same truth. **Halved** is how often it claims',
      '"shorter" where the second side takes half the time. A row with fewer than 40 intervals has no coverage.',
      '',
      `A row such as \`30\` has so many releases on each side, of ${CHANGES} changes on average. A row such as \`8 of 1 : 30 of 20\``,
      'has sides that differ: 8 releases of 1 change before, and 30 releases of 20 changes after. A release has at least',
      'one change.',
      '',
      'Where more than 5 % of the pairs are claimed falsely, the row is drawn again with more pairs, all of them new.',
      '',
      '| law | releases | figure | pairs | shown | covers | false claims | halved |',
      '| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |',
      ...rows.map((row) => `| ${row} |`),
      '',
      '## What is not reached',
      '',
      'Intervals should hold the truth in 93 % of the cases, and false claims should be at most 5 %. With 30 releases on each',
      'side, a halved P50 should be claimed in 75 %. With three standard errors of slack for the first two, these cells miss',
      'it:',
      '',
      ...(broken.length === 0 ? ['- none.'] : broken.map((sentence) => `- ${sentence}.`)),
      '',
    ].join('\n'),
  );
  return FILE;
}
