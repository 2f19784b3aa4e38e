import { pack } from '@tributary/affected/plan/pack/pack';
import type { Environment } from '@tributary/process/environment';
import { runCommand } from './affected-process.js';
import type { Bar } from './affected-table.js';
import { type LoadShape, makeLoad } from './plan-loads.js';

/** One packing to measure. */
interface Case {
  readonly items: number;
  readonly shards: number;
  readonly builds: LoadShape['builds'];
  readonly atMost: number;
}

const CASES: readonly Case[] = [
  { items: 1000, shards: 64, builds: 'none', atMost: 100 },
  { items: 1000, shards: 64, builds: 'graph', atMost: 100 },
  { items: 5000, shards: 256, builds: 'none', atMost: 1000 },
  { items: 5000, shards: 256, builds: 'graph', atMost: 1000 },
];

/**
 * Prints the time of the first call in a new process, and returns the promises about it. Five loads each, `rounds` processes for each load.
 */
export async function showSpeed(rounds: number, env: Environment): Promise<readonly Bar[]> {
  console.log(`the first call in a new process, milliseconds: median and slowest of ${rounds} processes for each of ${SEEDS.length} loads`);
  const bars: Bar[] = [];
  for (const one of CASES) {
    const times = await timesOf(one, rounds, env);
    const subject = `${one.items} items, ${one.shards} shards, ${one.builds === 'none' ? 'no builds' : 'builds'}`;
    const median = times[Math.floor(times.length / 2)];
    console.log(`  ${subject.padEnd(40)}${(median ?? 0).toFixed(1).padStart(10)}${(times.at(-1) ?? 0).toFixed(1).padStart(10)}`);
    bars.push({ subject: `${subject}: ms`, value: median, atMost: one.atMost });
  }
  console.log();
  return bars;
}

const SEEDS = [1, 2, 3, 4, 5];

async function timesOf({ items, shards, builds }: Case, rounds: number, env: Environment): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const seed of SEEDS) {
      const args = [process.argv[1] ?? '', '--one-call', `${items},${shards},${builds},${seed}`];
      times.push(Number(await runCommand({ program: process.execPath, args, cwd: process.cwd() }, env)));
    }
  }
  return times.sort((a, b) => a - b);
}

/** The work of such a process. */
export function timeOneCall(words: string): void {
  const [items, shards, builds, seed] = words.split(',');
  const load = makeLoad({ items: Number(items), sigma: 1.2, builds: builds === 'graph' ? 'graph' : 'none', seed: Number(seed) });
  const from = performance.now();
  pack(load, Number(shards));
  console.log(performance.now() - from);
}
