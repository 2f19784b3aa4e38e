import type { Load } from '@tributary/affected/plan/pack/item';
import { type Packing, pack } from '@tributary/affected/plan/pack/pack';
import { SETUP_SECONDS } from './plan-cost.js';
import { makeLoad } from './plan-loads.js';
import { longestChains, longestPaths, type Machines, secondsOfBuilds, wallOf } from './plan-machines.js';
import { leastFactor } from './plan-stage-bound.js';

/** Seconds to upload turborepo's cache as an artifact, or to download it. */
const TRANSFER = 10;
const SEEDS = [1, 2];
const SHARDS = [5, 10, 20, 40];
/** A build goes into the stage if the plan repeats it in this many shards. All its dependencies are repeated as often. */
const REPEATED = [2, 3, 5];
const STAGE_MACHINES = [1, 2, 3, 4, 6, 10];

/** The result of one way of running 500 packages. */
interface Outcome {
  readonly wallSeconds: number;
  /** Machine time for builds, with set-up and transfers of the stage, divided by that of building everything once. */
  readonly factor: number;
  /** Wall time and machine time together, as the planner weighs them. In seconds. */
  readonly price: number;
}

/**
 * Prints how often a plan repeats builds, and what a build stage in front of the shards would make of that: jobs of their own, whose
 * cache all shards wait for. Of all stages that were tried those with the fewest builds, with the least wall time, and with the fewest
 * builds of those that finish no later than the plan without a stage. At last what no stage at all falls below that finishes no later.
 */
export function showStages(): void {
  console.log(
    `500 packages, builds once, ${SEEDS.length} loads; a stage costs a set-up of ${SETUP_SECONDS} s and transfers of ${TRANSFER} s`,
  );
  for (const [title, buildTimes] of [
    ['builds of 4 s (median)', 1],
    ['builds of 20 s, as long as tests', 5],
  ] as const) {
    for (const atOnce of [1, 4]) {
      console.log(`${title}, ${atOnce} at once on each machine`);
      console.log(line(['shards', 'no stage', 'fewest builds', '(wall)', 'least wall', '(wall)', 'no later', '(loads)', 'no stage below']));
      const tried = SHARDS.map((shards) => SEEDS.map((seed) => tryStages(loadOf(seed, buildTimes), { shards, atOnce })));
      for (const [at, shards] of SHARDS.entries()) console.log(lineOf(shards, tried[at] ?? []));
      console.log(`  least wall and machine time together, with a stage over without: ${ratioOfPrices(tried).toFixed(2)}`);
    }
  }
  console.log();
}

/** Returns the ratio for the cheapest numbers of shards, each way with its own. */
function ratioOfPrices(tried: readonly (readonly Tried[])[]): number {
  const price = ({ price }: Outcome): number => price;
  return mean(
    SEEDS.map((_, seed) => {
      const of = tried.flatMap((loads) => loads[seed] ?? []);
      return Math.min(...of.flatMap(({ stages }) => stages.map(price))) / Math.min(...of.map(({ plain }) => price(plain)));
    }),
  );
}

function lineOf(shards: number, tried: readonly Tried[]): string {
  const fewest = tried.map(({ stages }) => least(stages, ({ factor }) => factor));
  const quickest = tried.map(({ stages }) => least(stages, ({ wallSeconds }) => wallSeconds));
  const noLater = tried.flatMap(({ plain, stages }) => {
    const good = stages.filter(({ wallSeconds }) => wallSeconds <= plain.wallSeconds);
    return good.length === 0 ? [] : [least(good, ({ factor }) => factor)];
  });
  const walls = (stages: readonly Outcome[]): string =>
    `(${mean(stages.map(({ wallSeconds }, at) => wallSeconds / (tried[at]?.plain.wallSeconds ?? Number.NaN))).toFixed(2)})`;
  return line([
    shards,
    factorOf(tried.map(({ plain }) => plain)),
    ...[factorOf(fewest), walls(fewest), factorOf(quickest), walls(quickest)],
    ...[noLater.length === 0 ? '-' : factorOf(noLater), `(${noLater.length} of ${SEEDS.length})`],
    tried.map(({ bound }) => bound.toFixed(2)).join(' '),
  ]);
}

function loadOf(seed: number, buildTimes: number): Load {
  const load = makeLoad({ items: 500, sigma: 1.2, builds: 'graph', seed });
  return { ...load, buildSeconds: load.buildSeconds.map((seconds) => seconds * buildTimes) };
}

interface Tried {
  readonly plain: Outcome;
  /** What no stage falls below that finishes no later. */
  readonly bound: number;
  readonly stages: readonly Outcome[];
}

function tryStages(load: Load, machines: Machines): Tried {
  const { shards } = packFewest(load, machines);
  const often = repeatsOf(load, shards);
  const wallSeconds = SETUP_SECONDS + wallOf(load, shards, withPaths(load, machines));
  const cost = { wallSeconds, building: secondsOfBuilds(load, shards), overhead: 0, jobs: shards.length };
  return {
    plain: outcomeOf(load, machines, cost),
    bound: leastFactor(load, machines, { wallSeconds, setup: SETUP_SECONDS, transfer: TRANSFER }),
    stages: REPEATED.flatMap((repeats) => stagesWith(load, { staged: keysFrom(often, repeats), machines })),
  };
}

/** Returns all stages with these builds, over several numbers of machines. */
function stagesWith(
  load: Load,
  { staged, machines }: { readonly staged: ReadonlySet<number>; readonly machines: Machines },
): readonly Outcome[] {
  if (staged.size === 0) return [];
  const rest = { ...load, items: load.items.map((item) => ({ ...item, builds: item.builds.filter((build) => !staged.has(build)) })) };
  const after = packFewest(rest, machines);
  const testing = wallOf(rest, after.shards, withPaths(rest, machines));
  const stage = stageOf(load, staged);
  return STAGE_MACHINES.filter((count) => count <= machines.shards).map((count) => {
    const before = pack(stage, count);
    const building = wallOf(stage, before.shards, { ...machines, paths: stage.paths });
    return outcomeOf(load, machines, {
      wallSeconds: SETUP_SECONDS + building + TRANSFER + SETUP_SECONDS + TRANSFER + testing,
      building: secondsOfBuilds(stage, before.shards) + secondsOfBuilds(rest, after.shards),
      overhead: before.shards.length * (SETUP_SECONDS + TRANSFER) + after.shards.length * TRANSFER,
      jobs: after.shards.length,
    });
  });
}

interface StageCost {
  readonly wallSeconds: number;
  /** In seconds of sequential work. */
  readonly building: number;
  /** Machine seconds that only the stage needs. */
  readonly overhead: number;
  /** The jobs that run tests. */
  readonly jobs: number;
}

function outcomeOf(load: Load, { atOnce }: Machines, { wallSeconds, building, overhead, jobs }: StageCost): Outcome {
  const testing = load.items.reduce((sum, { seconds }) => sum + seconds, 0);
  const machineSeconds = (testing + building) / atOnce + overhead + jobs * SETUP_SECONDS;
  return { wallSeconds, factor: (building + overhead * atOnce) / once(load), price: wallSeconds + machineSeconds };
}

/** Returns a load of builds as items that take no time themselves. The builds that they need are in the stage too. */
function stageOf(load: Load, staged: ReadonlySet<number>): Load & { readonly paths: readonly number[] } {
  const chains = longestChains(load);
  return {
    buildSeconds: load.buildSeconds,
    items: [...staged].flatMap((build) => load.items[build] ?? []).map((item) => ({ ...item, seconds: 1e-6 })),
    paths: [...staged].map((build) => chains[build] ?? 0),
  };
}

/**
 * Returns a packing on the fewest machines that finish as early as all would. If the longest chain decides, more machines only repeat
 * builds.
 */
function packFewest(load: Load, machines: Machines): Packing {
  const all = pack(load, machines.shards);
  const paths = withPaths(load, machines);
  const wall = wallOf(load, all.shards, paths);
  if (wall > Math.max(...paths.paths) * (1 + 1e-9)) return all;
  const work = load.items.reduce((sum, { seconds }) => sum + seconds, once(load));
  for (let count = Math.ceil(work / machines.atOnce / wall); count < machines.shards; count++) {
    const fewer = pack(load, count);
    if (wallOf(load, fewer.shards, paths) <= wall) return fewer;
  }
  return all;
}

function withPaths(load: Load, { atOnce }: Machines): { readonly atOnce: number; readonly paths: readonly number[] } {
  return { atOnce, paths: longestPaths(load) };
}

/** Returns by build: the number of shards that make it. */
function repeatsOf({ items, buildSeconds }: Load, shards: readonly (readonly number[])[]): readonly number[] {
  const often = buildSeconds.map(() => 0);
  for (const shard of shards) {
    for (const build of new Set(shard.flatMap((place) => items[place]?.builds ?? []))) often[build] = (often[build] ?? 0) + 1;
  }
  return often;
}

function keysFrom(often: readonly number[], repeats: number): ReadonlySet<number> {
  return new Set([...often.keys()].filter((build) => (often[build] ?? 0) >= repeats));
}

function once({ buildSeconds }: Load): number {
  return buildSeconds.reduce((sum, seconds) => sum + seconds, 0);
}

function least(outcomes: readonly Outcome[], by: (outcome: Outcome) => number): Outcome {
  return outcomes.reduce((best, one) => (by(one) < by(best) ? one : best));
}

function factorOf(outcomes: readonly Outcome[]): string {
  return `x ${mean(outcomes.map(({ factor }) => factor)).toFixed(2)}`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function line(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).padStart(15)).join('');
}
