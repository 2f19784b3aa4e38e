import { pack } from '@tributary/affected/plan/pack/pack';
import { Dice } from '@tributary/test-repo/dice';
import type { Bar } from './affected-table.js';
import { logNormal, normal } from './plan-dice.js';
import type { TimingTable } from './plan-timings.js';

const SHARDS = 6;
const RUNS = 2000;
/** Of what a package takes usually: how far runs of it are from that. */
const NOISE = 0.15;
const PERCENT_UNKNOWN = 10;
/** How wrong a guess is for a package that was never timed: log-normal, of this sigma. */
const GUESS_SIGMA = 0.6;

/** Prints how even the shards of a plan come out when times are not what they were, and returns what was promised of that. */
export function showNoise(table: TimingTable): readonly Bar[] {
  const ratios = realisedRatios(table).sort((a, b) => a - b);
  const [median, late] = [quantile(ratios, 0.5), quantile(ratios, 0.95)];
  const what = `${NOISE * 100} % noise, ${PERCENT_UNKNOWN} % guessed with sigma ${GUESS_SIGMA}`;
  console.log(`${table.title}: what really happens in ${SHARDS} shards, ${what}, ${RUNS} runs`);
  console.log(`  slowest shard over the mean: median ${median.toFixed(3)}, p95 ${late.toFixed(3)}\n`);
  return [
    { subject: `realised slowest over mean, ${SHARDS} shards: median`, value: median, atMost: 1.15 },
    { subject: `realised slowest over mean, ${SHARDS} shards: p95`, value: late, atMost: 1.3 },
  ];
}

function realisedRatios({ seconds }: TimingTable): number[] {
  const dice = new Dice(6);
  return Array.from({ length: RUNS }, () => {
    const packages = [...seconds].map(([name, usual]) => ({
      planned: { name, seconds: dice.chance(PERCENT_UNKNOWN) ? logNormal(dice, { middle: usual, sigma: GUESS_SIGMA }) : usual, builds: [] },
      real: usual * Math.max(0.1, 1 + NOISE * normal(dice)),
    }));
    const { shards } = pack({ items: packages.map(({ planned }) => planned), buildSeconds: [] }, SHARDS);
    const loads = shards.map((shard) => shard.reduce((sum, place) => sum + (packages[place]?.real ?? 0), 0));
    return (Math.max(...loads) * SHARDS) / loads.reduce((sum, load) => sum + load, 0);
  });
}

/** Nearest rank, of values in order. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
