import { compareItems, type Load } from '@tributary/affected/plan/pack/item';
import { pack } from '@tributary/affected/plan/pack/pack';
import { Dice } from '@tributary/test-repo/dice';
import { SETUP_SECONDS } from './plan-cost.js';
import { logNormal } from './plan-dice.js';
import { makeLoad } from './plan-loads.js';
import { type Batch, type Deal, finishOf, own, ownThenSteal, shared } from './plan-queue-machines.js';
import type { TimingTable } from './plan-timings.js';

const RUNS = 100;
const SIGMAS = [0.3, 0.6];
/** The overhead of each batch: a claim, and another start of turborepo. */
const HAND_OUT_SECONDS = 5;
/** The number of batches into which a machine's shard is split: one call of turborepo runs a batch. */
const BATCHES = 8;
/** The number of shards for each machine if the engine itself distributes them. Each needs a set-up. */
const SHARDS_A_MACHINE = 3;

/** A load on a number of machines. */
interface Scene {
  readonly title: string;
  readonly load: Load;
  readonly machines: number;
}

/**
 * Prints how much earlier than with the static plan tests would finish if free machines took the next ones. Real times deviate from the
 * predicted ones by log-normal noise. Shows the wall time of the plan divided by that of each way, including set-up, as medians.
 */
export function showQueues(table: TimingTable): void {
  const items = [...table.seconds].map(([name, seconds]) => ({ name, seconds, builds: [] }));
  const scenes: readonly Scene[] = [
    { title: `${table.title}, 6 machines`, load: { items, buildSeconds: [] }, machines: 6 },
    {
      title: '500 packages without builds, 10 machines',
      load: makeLoad({ items: 500, sigma: 1.2, builds: 'none', seed: 1 }),
      machines: 10,
    },
    { title: '500 packages with builds, 10 machines', load: makeLoad({ items: 500, sigma: 1.2, builds: 'graph', seed: 1 }), machines: 10 },
    { title: '500 packages with builds, 40 machines', load: makeLoad({ items: 500, sigma: 1.2, builds: 'graph', seed: 1 }), machines: 40 },
  ];
  console.log(`a queue instead of a plan: how many times as early, median of ${RUNS} runs; in brackets machine time over that of the plan`);
  console.log(line(['', 'sigma', ...WAYS.map(({ name }) => name)]));
  for (const scene of scenes) for (const sigma of SIGMAS) console.log(lineOf(scene, sigma));
  console.log();
}

/** A way of distributing work to machines. */
interface Way {
  readonly name: string;
  /** A run uses up a deal, so each run needs a new one. */
  readonly prepare: (scene: Scene) => () => Deal;
  /** The overhead of each batch. */
  readonly secondsEach: number;
}

const WAYS: readonly Way[] = [
  { name: 'one by one', prepare: oneByOne, secondsEach: 0 },
  { name: `one by one, ${HAND_OUT_SECONDS} s`, prepare: oneByOne, secondsEach: HAND_OUT_SECONDS },
  { name: 'plan, then steal', prepare: planThenSteal, secondsEach: HAND_OUT_SECONDS },
  { name: 'more shards', prepare: moreShards, secondsEach: SETUP_SECONDS },
];

function oneByOne({ load: { items } }: Scene): () => Deal {
  const order = [...items.keys()].sort((a, b) => compareItems(items[a], items[b]));
  return () => shared(order.map((item) => [item]));
}

function planThenSteal({ load, machines }: Scene): () => Deal {
  const plan = pack(load, machines).shards.map((shard) => cut(shard));
  return () => ownThenSteal(plan, load);
}

/** The engine's own queue gives the next shard to a free machine. */
function moreShards({ load, machines }: Scene): () => Deal {
  const { shards } = pack(load, machines * SHARDS_A_MACHINE);
  return () => shared(shards);
}

/** The longest items first, so that the batches left to take over at the end are small. */
function cut(shard: readonly number[]): readonly Batch[] {
  const size = Math.ceil(shard.length / BATCHES);
  return Array.from({ length: Math.ceil(shard.length / size) }, (_, at) => shard.slice(at * size, (at + 1) * size));
}

function lineOf(scene: Scene, sigma: number): string {
  const { load, machines } = scene;
  const runs = realLoads(load, sigma);
  const plan = pack(load, machines).shards.map((shard) => [shard]);
  const planned = runs.map((real) => finishOf(real, { machines, deal: own(plan), secondsEach: 0 }));
  const cells = WAYS.map(({ prepare, secondsEach }) => {
    const deal = prepare(scene);
    const outcomes = runs.map((real) => finishOf(real, { machines, deal: deal(), secondsEach }));
    const earlier = outcomes.map(({ wall }, at) => (SETUP_SECONDS + (planned[at]?.wall ?? 0)) / (SETUP_SECONDS + wall));
    const setUps = machines * SETUP_SECONDS;
    const dearer = outcomes.map(({ busy }, at) => (setUps + busy) / (setUps + (planned[at]?.busy ?? 0)));
    return `${median(earlier).toFixed(2)} (${median(dearer).toFixed(2)})`;
  });
  return line([scene.title, sigma, ...cells]);
}

/** Returns loads with real times, for the predicted `load`. */
function realLoads({ items, buildSeconds }: Load, sigma: number): readonly Load[] {
  const dice = new Dice(7);
  return Array.from({ length: RUNS }, () => ({
    items: items.map((item) => ({ ...item, seconds: logNormal(dice, { middle: item.seconds, sigma }) })),
    buildSeconds: buildSeconds.map((middle) => logNormal(dice, { middle, sigma })),
  }));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function line([name = '', ...cells]: readonly (string | number)[]): string {
  return `  ${String(name).padEnd(42)}${cells.map((cell) => String(cell).padStart(18)).join('')}`;
}
