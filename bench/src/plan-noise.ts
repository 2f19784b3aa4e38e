import { pack } from '@tributary/affected/plan/pack/pack';
import { Dice } from '@tributary/test-repo/dice';
import type { Bar } from './affected-table.js';
import { SETUP_SECONDS } from './plan-cost.js';
import { logNormal, normal } from './plan-dice.js';
import type { TimingTable } from './plan-timings.js';

const SHARDS = 6;
const RUNS = 2000;
/** The deviation of runs from a package's usual time, as a share of it. */
const NOISE = 0.15;
const PERCENT_UNKNOWN = 10;
/** The error of a guess for a package without timings: log-normal, with this sigma. */
const GUESS_SIGMA = 0.6;

/**
 * Prints how even the shards of a plan are when times deviate, and returns the promises about it. These are about whole machines, including
 * their set-up. Also prints the figures without set-up.
 */
export function showNoise(table: TimingTable): readonly Bar[] {
  const runs = realisedLoads(table);
  const [machines, testsAlone] = [unevenness(runs, SETUP_SECONDS), unevenness(runs, 0)];
  const what = `${NOISE * 100} % noise, ${PERCENT_UNKNOWN} % guessed with sigma ${GUESS_SIGMA}`;
  console.log(`${table.title}: what really happens in ${SHARDS} shards, ${what}, ${RUNS} runs; slowest over the mean`);
  showUnevenness(`with a set-up of ${SETUP_SECONDS} s`, machines);
  showUnevenness('tests alone', testsAlone);
  console.log();
  return [
    { subject: `realised slowest over mean, ${SHARDS} shards: median`, value: machines.median, atMost: 1.15 },
    { subject: `realised slowest over mean, ${SHARDS} shards: p95`, value: machines.late, atMost: 1.3 },
  ];
}

interface Unevenness {
  readonly median: number;
  readonly late: number;
}

function showUnevenness(title: string, { median, late }: Unevenness): void {
  console.log(`  ${title}: median ${median.toFixed(3)}, p95 ${late.toFixed(3)}`);
}

function unevenness(runs: readonly (readonly number[])[], setupSeconds: number): Unevenness {
  const ratios = runs.map((loads) => {
    const times = loads.map((load) => setupSeconds + load);
    return (Math.max(...times) * SHARDS) / times.reduce((sum, time) => sum + time, 0);
  });
  const sorted = ratios.sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), late: quantile(sorted, 0.95) };
}

/** Returns, for each run, the real time of the tests of each shard, in seconds. */
function realisedLoads({ seconds }: TimingTable): readonly (readonly number[])[] {
  const dice = new Dice(6);
  return Array.from({ length: RUNS }, () => {
    const packages = [...seconds].map(([name, usual]) => ({
      planned: { name, seconds: dice.chance(PERCENT_UNKNOWN) ? logNormal(dice, { middle: usual, sigma: GUESS_SIGMA }) : usual, builds: [] },
      real: usual * Math.max(0.1, 1 + NOISE * normal(dice)),
    }));
    const { shards } = pack({ items: packages.map(({ planned }) => planned), buildSeconds: [] }, SHARDS);
    return shards.map((shard) => shard.reduce((sum, place) => sum + (packages[place]?.real ?? 0), 0));
  });
}

/** Returns the quantile by nearest rank, of sorted values. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
