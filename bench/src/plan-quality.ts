import { compareItems, type Load } from '@tributary/affected/plan/pack/item';
import { lowerBound, pack } from '@tributary/affected/plan/pack/pack';
import type { Bar } from './affected-table.js';
import { makeLoad } from './plan-loads.js';

/** Sizes like those of real test suites. */
const SIZES: readonly (readonly [items: number, shards: number])[] = [
  [28, 4],
  [28, 8],
  [100, 16],
  [1000, 64],
];

/** Prints how far plans and longest-first packings (LPT) are from the lower bound, and returns the promises about plans. */
export function showQuality(loads: number): readonly Bar[] {
  console.log(`longest shard over the lower bound, mean / worst of ${loads} loads, log-normal times of sigma 1.2`);
  console.log(line(['', 'LPT', 'ours']));
  const bars = SIZES.map(([items, shards]): Bar => {
    const made = Array.from({ length: loads }, (_, seed) => makeLoad({ items, sigma: 1.2, builds: 'none', seed: seed + 1 }));
    const floors = made.map((load) => lowerBound(load, shards));
    const over = (makespan: (load: Load) => number): readonly number[] => made.map((load, at) => makespan(load) / (floors[at] ?? 0));
    const ours = over((load) => pack(load, shards).makespan);
    const subject = `${items} items, ${shards} shards`;
    console.log(line([subject, format(over((load) => longestFirst(load, shards))), format(ours)]));
    return { subject: `${subject}: mean, over the bound`, value: meanOf(ours), atMost: 1.01 };
  });
  console.log();
  return bars;
}

function longestFirst({ items }: Load, shards: number): number {
  const loads = new Float64Array(shards);
  for (const { seconds } of [...items].sort(compareItems)) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + seconds;
  }
  return Math.max(...loads);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function format(values: readonly number[]): string {
  return `${meanOf(values).toFixed(3)}/${Math.max(...values).toFixed(3)}`;
}

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(13)).join('')}`;
}
