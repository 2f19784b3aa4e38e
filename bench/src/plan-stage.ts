import type { Machine } from '@tributary/affected/plan/machine';
import type { Load } from '@tributary/affected/plan/pack/item';
import { type Predict, planShards, type ShardPlan } from '@tributary/affected/plan/pack/plan-shards';
import type { Splittable } from '@tributary/affected/plan/pack/split';
import { type PredictedBuild, predictShard, shareOf } from '@tributary/affected/plan/predict-shard';
import { type StagedPlan, TRANSFER_SECONDS, weighStage } from '@tributary/affected/plan/stage';
import { SETUP_SECONDS } from './plan-cost.js';
import { makeLoad } from './plan-loads.js';
import { leastFactor } from './plan-stage-bound.js';

const SEEDS = [1, 2];
const SHARDS = [5, 10, 20, 40];

/**
 * Prints how often plans repeat builds, whether the planner chooses a build stage, and what that changes. `no stage below`: no stage that
 * finishes as early repeats builds less, according to a calculation that favours stages.
 */
export function showStages(): void {
  console.log(
    `500 packages, builds once, ${SEEDS.length} loads; a machine needs ${SETUP_SECONDS} s of set-up, an upload or download ${TRANSFER_SECONDS} s`,
  );
  for (const [title, buildTimes] of [
    ['builds of 4 s (median)', 1],
    ['builds of 20 s, as long as tests', 5],
  ] as const) {
    for (const atOnce of [1, 4]) {
      console.log(`${title}, ${atOnce} at once on each machine`);
      console.log(
        line(['shards', 'load', 'used', 'builds', 'stage', 'shards then', 'builds then', 'wall time', 'machine time', 'no stage below']),
      );
      for (const shards of SHARDS)
        for (const seed of SEEDS) console.log(line([shards, seed, ...weigh(loadOf(seed, buildTimes), { shards, atOnce })]));
    }
  }
  console.log();
}

function loadOf(seed: number, buildTimes: number): Load {
  const load = makeLoad({ items: 500, sigma: 1.2, builds: 'graph', seed });
  return { ...load, buildSeconds: load.buildSeconds.map((seconds) => seconds * buildTimes) };
}

function weigh(load: Load, { shards, atOnce }: { readonly shards: number; readonly atOnce: number }): readonly (string | number)[] {
  const machine = { cores: atOnce, concurrency: atOnce };
  const { items, builds, predict } = plannedOf(load, machine);
  const request = { setupSeconds: SETUP_SECONDS, shards, maxShards: shards, predict };
  const plain = planShards(
    items,
    load.buildSeconds.map((seconds) => seconds / atOnce),
    request,
  );
  const staged = weighStage(plain, { items, builds, machine, request, canStage: () => true, isFresh: () => false });
  const { loads, makespan } = plain.choice.packing;
  const wallSeconds = SETUP_SECONDS + makespan;
  const machineSeconds = loads.reduce((sum, seconds) => sum + seconds + SETUP_SECONDS, 0);
  const bound = leastFactor(load, { shards, atOnce }, { wallSeconds, setup: SETUP_SECONDS, transfer: TRANSFER_SECONDS });
  const before = [loads.length, factor(repeated(plain, load), load)];
  const after =
    staged.plan === undefined ? [`none: ${staged.why}`, '', '', '', ''] : describe(staged, { load, atOnce, wallSeconds, machineSeconds });
  return [...before, ...after, Number.isFinite(bound) ? `x ${bound.toFixed(2)}` : 'none'];
}

function describe(
  { plan, jobs, ...staged }: StagedPlan,
  {
    load,
    atOnce,
    wallSeconds,
    machineSeconds,
  }: { readonly load: Load; readonly atOnce: number; readonly wallSeconds: number; readonly machineSeconds: number },
): readonly (string | number)[] {
  const after = plan.choice.packing.shards.length;
  const overhead = jobs.length * (SETUP_SECONDS + TRANSFER_SECONDS) + after * TRANSFER_SECONDS;
  const building = jobs.reduce((sum, { builds }) => sum + secondsOf(builds, load), 0);
  return [
    `${jobs.length} jobs`,
    after,
    factor(repeated(plan, load) + building + overhead * atOnce, load),
    (staged.wallSeconds / wallSeconds).toFixed(2),
    (staged.machineSeconds / machineSeconds).toFixed(2),
  ];
}

/** A load as the planner sees it. In generated loads, the build and the item of one number belong to one package. */
function plannedOf(
  { items, buildSeconds }: Load,
  machine: Machine,
): { readonly items: readonly Splittable[]; readonly builds: readonly PredictedBuild[]; readonly predict: Predict | undefined } {
  const builds = buildSeconds.map((seconds, at) => ({
    seconds,
    cpuSeconds: seconds,
    after: items[at]?.builds.filter((build) => build !== at) ?? [],
  }));
  const predict: Predict = (split) =>
    predictShard(
      split.map(({ item }) => ({
        seconds: item.alone ?? 0,
        cpuSeconds: item.alone ?? 0,
        part: null,
        fresh: false,
        builds: item.builds,
        after: item.builds,
      })),
      builds,
      machine,
    );
  return {
    items: items.map((item) => ({
      item: { ...item, alone: item.seconds, seconds: shareOf({ seconds: item.seconds, cpuSeconds: item.seconds }, machine) },
      canSplit: 'no',
      mostParts: 1,
    })),
    builds,
    predict: machine.concurrency === 1 ? undefined : predict,
  };
}

/** Returns the seconds of the builds in all shards, in seconds of sequential work. */
function repeated({ items, choice }: ShardPlan, load: Load): number {
  return choice.packing.shards.reduce((sum, places) => {
    const builds = places.flatMap((place) => items[place]?.item.builds ?? []);
    return sum + secondsOf([...new Set(builds)], load);
  }, 0);
}

function secondsOf(builds: readonly number[], { buildSeconds }: Load): number {
  return builds.reduce((sum, build) => sum + (buildSeconds[build] ?? 0), 0);
}

function factor(seconds: number, { buildSeconds }: Load): string {
  return `x ${(seconds / buildSeconds.reduce((sum, one) => sum + one, 0)).toFixed(2)}`;
}

function line(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).padStart(15)).join('');
}
