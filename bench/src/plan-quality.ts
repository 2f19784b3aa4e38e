import type { Load } from '@tributary/affected/plan/pack/item';
import { lowerBound } from '@tributary/affected/plan/pack/pack';
import { Dice } from '@tributary/test-repo/dice';
import type { Bar } from './affected-table.js';
import { makeLoad } from './plan-loads.js';
import { OURS, RIVALS } from './plan-rivals.js';
import type { TimingTable } from './plan-timings.js';

/** A number of items and of shards. */
type Size = readonly [items: number, shards: number];

/** Sizes like those of real test suites. */
const USUAL: readonly Size[] = [
  [28, 4],
  [28, 8],
  [100, 16],
  [1000, 64],
];
/** Mean and worst of some ratios. */
interface Ratios {
  readonly mean: number;
  readonly worst: number;
}

/** A plan is rarely for all packages: these are for the half of a table that a change affects. */
const SHARDS_OF_HALF: readonly number[] = [2, 3, 4];

/** Prints how far each packing algorithm is from the bound, and returns the promises about our algorithm. */
export function showQuality(table: TimingTable, loads: number): readonly Bar[] {
  console.log(`longest shard over the lower bound, mean / worst of ${loads} loads, log-normal times of sigma 1.2\n${line(['', ...NAMES])}`);
  const usual = USUAL.flatMap((size) => showUsual(size, loads));
  console.log(`\nover the lower bound, any half of the packages of ${table.title}\n${line(['', ...NAMES])}`);
  const real = SHARDS_OF_HALF.flatMap((shards) => showReal(table, shards, loads));
  console.log();
  return [...usual, ...real];
}

const NAMES = RIVALS.map(({ name }) => name);

function showUsual([items, shards]: Size, loads: number): readonly Bar[] {
  const made = Array.from({ length: loads }, (_, seed) => makeLoad({ items, sigma: 1.2, builds: 'none', seed: seed + 1 }));
  return showOverBound(`${items} items, ${shards} shards`, made, shards);
}

function showReal({ seconds }: TimingTable, shards: number, loads: number): readonly Bar[] {
  const made = Array.from({ length: loads }, (_, seed) => {
    const dice = new Dice(seed + 1);
    const half = [...seconds].filter(() => dice.chance(50));
    return { items: half.map(([name, own]) => ({ name, seconds: own, builds: [] })), buildSeconds: [] };
  });
  return showOverBound(`half of the table, ${shards} shards`, made, shards);
}

function showOverBound(subject: string, made: readonly Load[], shards: number): readonly Bar[] {
  const floors = made.map((load) => lowerBound(load, shards));
  const rows = RIVALS.map(({ makespan }) => ratiosOf(made.map((load, at) => makespan(load, shards) / (floors[at] ?? 0))));
  console.log(line([subject, ...rows.map(format)]));
  return [{ subject: `${subject}: mean, over the bound`, value: ours(rows)?.mean, atMost: 1.01 }];
}

function ours(rows: readonly Ratios[]): Ratios | undefined {
  return rows[NAMES.indexOf(OURS)];
}

function ratiosOf(values: readonly number[]): Ratios {
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, worst: Math.max(...values) };
}

function format({ mean, worst }: Ratios): string {
  return `${mean.toFixed(3)}/${worst.toFixed(3)}`;
}

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(13)).join('')}`;
}
