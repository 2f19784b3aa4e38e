import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresOf } from '@tributary/commit-to-publish/report/figures';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '@tributary/commit-to-publish/report/least';
import { isRuledOut } from '@tributary/commit-to-publish/statistics/difference';
import { LEAST_RELEASES } from '@tributary/commit-to-publish/statistics/interval';
import { type ClusteredValue, sortIntoReleases } from '@tributary/commit-to-publish/statistics/releases';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { drawReleases, LAWS, type Law, truthOf } from './publish-laws.js';

/** Truths that are drawn for each cell of the table. */
export interface CoverageOptions {
  readonly draws: number;
}

const RELEASES = [4, 8, 14, 30, 100];
/** With more releases a halved figure is all but always seen, and to see it takes long. */
const MOST_FOR_POWER = 30;
const PERCENTILES = [
  { name: 'P50', share: 0.5, least: LEAST_FOR_P50 },
  { name: 'P90', share: 0.9, least: LEAST_FOR_P90 },
] as const;

/** What was counted for one law, one number of releases and one percentile. */
interface Cell {
  readonly law: string;
  readonly releases: number;
  readonly percentile: string;
  readonly draws: number;
  /** How often an interval was shown, and how often it held the truth. */
  readonly shown: number;
  readonly covered: number;
  /** Of pairs with the same truth, in how many a change was claimed. */
  readonly falseClaims: number;
  /** Of pairs in which the second takes half the time, in how many it was called shorter. */
  readonly halvedClaims: number;
}

/** Draws lead times with a truth that is known, and counts how often the intervals of a report hold it and what a comparison claims: with the functions that both commands call. */
export function simulateCoverage({ draws }: CoverageOptions, onCell: (line: string) => void): readonly Cell[] {
  return LAWS.flatMap((law) => {
    const truths = PERCENTILES.map(({ share }) => truthOf(law, share));
    return RELEASES.flatMap((releases) => {
      const cells = countCells(law, { releases, draws, truths });
      for (const cell of cells) onCell(describeCell(cell));
      return cells;
    });
  });
}

interface Setting {
  readonly releases: number;
  readonly draws: number;
  readonly truths: readonly number[];
}

function countCells(law: Law, { releases, draws, truths }: Setting): readonly Cell[] {
  const dice = law.dice(releases);
  const counts = PERCENTILES.map(() => ({ shown: 0, covered: 0, falseClaims: 0, halvedClaims: 0 }));
  for (let draw = 0; draw < draws; draw++) {
    const [before, after] = [drawReleases(law, releases, dice), drawReleases(law, releases, dice)];
    const halved = after.map(({ value, cluster }) => ({ value: value / 2, cluster }));
    const { p50, p90 } = figuresOf(before, 'linear');
    for (const [at, { share, least }] of PERCENTILES.entries()) {
      const count = counts[at];
      const truth = truths[at] ?? Number.NaN;
      if (count === undefined) continue;
      const interval = [p50, p90][at]?.interval;
      if (interval !== undefined) count.shown++;
      if (interval !== undefined && interval.low <= truth && truth <= interval.high) count.covered++;
      if (isClaimed(before, after, { share, least })) count.falseClaims++;
      if (releases <= MOST_FOR_POWER && isClaimed(before, halved, { share, least })) count.halvedClaims++;
    }
  }
  return counts.map((count, at) => ({ law: law.name, releases, percentile: PERCENTILES[at]?.name ?? '', draws, ...count }));
}

/** Whether zero lies outside of the interval of the change: a test of `differenceOf` holds the two together, and this takes a twentieth of the time. */
function isClaimed(
  before: readonly ClusteredValue[],
  after: readonly ClusteredValue[],
  { share, least }: { readonly share: number; readonly least: number },
): boolean {
  const sides = { before: sortIntoReleases(before), after: sortIntoReleases(after), share };
  const isEnough = [sides.before, sides.after].every(({ values, sizes }) => values.length >= least && sizes.length >= LEAST_RELEASES);
  return isEnough && isRuledOut(sides, 1);
}

function describeCell({ law, releases, percentile, draws, ...counts }: Cell): string {
  return `${law}, ${releases} releases, ${percentile}: ${JSON.stringify(counts)} of ${draws}`;
}

/** Fewer shown intervals than this say nothing of how often they hold. */
const LEAST_SHOWN = 40;

/** Returns the cells that break what is promised, each as a sentence. Of coverage and false claims with the slack of three standard errors, so that chance alone breaks none; of power without. */
export function brokenPromises(cells: readonly Cell[]): readonly string[] {
  const slack = (share: number, of: number): number => 3 * Math.sqrt((share * (1 - share)) / of);
  return cells.flatMap((cell) => {
    const { law, releases, percentile, draws, shown, covered, falseClaims, halvedClaims } = cell;
    const where = `${law}, ${releases} releases, ${percentile}`;
    return [
      ...(shown >= LEAST_SHOWN && covered / shown < 0.93 - slack(0.93, shown) ? [`${where}: covers ${percent(covered, shown)}`] : []),
      ...(falseClaims / draws > 0.05 + slack(0.05, draws) ? [`${where}: claims ${percent(falseClaims, draws)} without a reason`] : []),
      ...(percentile === 'P50' && releases === 30 && halvedClaims / draws < 0.75
        ? [`${where}: sees ${percent(halvedClaims, draws)} of halved medians`]
        : []),
    ];
  });
}

function percent(count: number, of: number): string {
  return of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} %`;
}

const FILE = 'docs/reference/coverage.md';

/** Writes the page of the documentation with the table. */
export function writeCoveragePage(cells: readonly Cell[]): string {
  const [first] = cells;
  const rows = cells.map(({ law, releases, percentile, draws, shown, covered, falseClaims, halvedClaims }) =>
    [
      law,
      String(releases),
      percentile,
      percent(shown, draws),
      shown < LEAST_SHOWN ? '-' : percent(covered, shown),
      percent(falseClaims, draws),
      releases > MOST_FOR_POWER ? '-' : percent(halvedClaims, draws),
    ].join(' | '),
  );
  const laws = LAWS.map(({ name, says }) => `- **${name}**: ${says}`);
  writeFileSync(
    join(findProjectRoot(), FILE),
    [
      '<!-- Generated by `npm run bench:publish -- --coverage`. Do not edit. -->',
      '',
      '# How often the intervals hold',
      '',
      `\`npm run bench:publish -- --coverage\` draws ${first?.draws ?? 0} pairs of lead times for each row. The truth of each pair is known. The bench`,
      'calls the functions that `report` and `compare` call, and checks on one pair that the command line gives the same',
      'figures. Effects of releases have a standard deviation of 0.8 on the logarithm, changes within a release 0.6.',
      '',
      ...laws,
      '',
      '**Shown** is how often there is an interval. **Covers** is how often a shown interval holds the truth. **False claims**',
      'is how often `compare` claims a change between two sides with the same truth. **Halved** is how often it claims',
      '"shorter" where the second side takes half the time. A row with fewer than 40 intervals has no coverage.',
      '',
      '| law | releases | figure | shown | covers | false claims | halved |',
      '| --- | ---: | --- | ---: | ---: | ---: | ---: |',
      ...rows.map((row) => `| ${row} |`),
      '',
    ].join('\n'),
  );
  return FILE;
}
