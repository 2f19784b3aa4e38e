import { pack } from '@tributary/affected/plan/pack/pack';
import { Dice } from '@tributary/test-repo/dice';
import type { Bar } from './affected-table.js';
import { SETUP_SECONDS } from './plan-cost.js';
import { logNormal, normal } from './plan-dice.js';
import type { TimingTable } from './plan-timings.js';

const SHARDS = 6;
const RUNS = 2000;
/** Of what a package takes usually: how far runs of it are from that. */
const NOISE = 0.15;
const PERCENT_UNKNOWN = 10;
/** How wrong a guess is for a package that was never timed: log-normal, of this sigma. */
const GUESS_SIGMA = 0.6;

/**
 * Prints how even the shards of a plan come out when times are not what they were, and returns what was promised of that: of whole
 * machines, which need the set-up as well. How it looks without that is printed too.
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

/** For each run, what the tests of each shard really took, in seconds. */
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

/** Nearest rank, of values in order. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
