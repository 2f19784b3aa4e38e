import type { ShardRequest } from '@tributary/affected/plan/pack/choose';
import { planShards } from '@tributary/affected/plan/pack/plan-shards';
import type { Splittable } from '@tributary/affected/plan/pack/split';
import type { Bar } from './affected-table.js';
import type { TimingTable } from './plan-timings.js';

export const SETUP_SECONDS = 60;
/** The number of concurrent jobs in the usual plan of a CI provider. */
const AT_ONCE = 20;

/** The cost of a way of running the tests. */
interface Cost {
  readonly wallSeconds: number;
  /** Each job is billed by the minute, rounded up. */
  readonly billedMinutes: number;
  readonly jobs: number;
}

/** Prints the cost of running a table of tests in several ways. Promises exist for only one table: the real one of 71 packages. */
export function showCost(table: TimingTable): readonly Bar[] {
  const each = oneJobEach(table);
  const ten = ours(table, { shards: 10, canSplit: 'yes' });
  const six = ours(table, { shards: 6, canSplit: 'no' });
  const rows: readonly (readonly [string, Cost])[] = [
    ['one job', ours(table, { shards: 1, canSplit: 'no' })],
    [`one job per package, ${AT_ONCE} at once, by name`, each],
    ['6 shards', six],
    ['10 shards', ours(table, { shards: 10, canSplit: 'no' })],
    ['10 shards, long packages cut', ten],
    ['what we would choose, long packages cut', ours(table, { canSplit: 'yes' })],
    ['10 minutes, long packages cut', ours(table, { targetSeconds: 600, canSplit: 'yes' })],
  ];
  console.log(`${table.title}: ${table.seconds.size} packages, ${sum(table.seconds.values()).toFixed(0)} s, set-up ${SETUP_SECONDS} s`);
  console.log(line(['', 'jobs', 'wall s', 'billed min']));
  for (const [name, cost] of rows) console.log(line([name, cost.jobs, cost.wallSeconds.toFixed(0), cost.billedMinutes]));
  console.log();
  if (table.source === 'made up') return [];
  return [
    { subject: '10 shards, long packages cut: wall seconds', value: ten.wallSeconds, atMost: 456 },
    { subject: '10 shards, long packages cut: billed minutes', value: ten.billedMinutes, atMost: 85 },
    { subject: '6 shards, nothing cut: wall seconds', value: six.wallSeconds, atMost: 715 },
    { subject: '6 shards, nothing cut: billed minutes', value: six.billedMinutes, atMost: 75 },
    { subject: '10 shards: wall, over one job per package', value: ten.wallSeconds / each.wallSeconds, atMost: 0.5 },
    { subject: '10 shards: billed, over one job per package', value: ten.billedMinutes / each.billedMinutes, atMost: 0.5 },
  ];
}

function ours(table: TimingTable, { canSplit, ...request }: Partial<ShardRequest> & Pick<Splittable, 'canSplit'>): Cost {
  const { choice } = planShards(splittables(table, canSplit), [], { setupSeconds: SETUP_SECONDS, maxShards: AT_ONCE, ...request });
  const times = choice.packing.loads.map((load) => SETUP_SECONDS + load);
  return { wallSeconds: Math.max(...times), billedMinutes: billed(times), jobs: times.length };
}

function splittables({ seconds }: TimingTable, canSplit: Splittable['canSplit']): readonly Splittable[] {
  return [...seconds].map(([name, own]) => ({ item: { name, seconds: own, builds: [] }, canSplit, mostParts: 10 }));
}

/** Jobs start in the order of their names, each as soon as a machine is free. */
function oneJobEach({ seconds }: TimingTable): Cost {
  const free = new Float64Array(AT_ONCE);
  const times = [...seconds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => SETUP_SECONDS + own);
  for (const time of times) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + time;
  }
  return { wallSeconds: Math.max(...free), billedMinutes: billed(times), jobs: times.length };
}

function billed(times: readonly number[]): number {
  return sum(times.map((time) => Math.ceil(time / 60)));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

function line([name = '', ...cells]: readonly (string | number)[]): string {
  return `  ${String(name).padEnd(44)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
}
