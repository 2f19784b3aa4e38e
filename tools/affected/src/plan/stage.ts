import type { Machine } from './machine.js';
import type { ShardRequest } from './pack/choose.js';
import { pack } from './pack/pack.js';
import { type Predict, planShards, type ShardPlan } from './pack/plan-shards.js';
import type { Splittable } from './pack/split.js';
import { type PredictedBuild, predictBuilds, shareOf } from './predict-shard.js';

/** Seconds to upload the results of a job of a stage, or to download them into a shard. */
export const TRANSFER_SECONDS = 10;
/** A build goes into the stage if the plan makes it on so many machines. What it depends on is repeated at least as often. */
const REPEATED = [2, 3, 5] as const;
const JOBS: readonly number[] = [1, 2, 3, 4, 6, 10];
/** Builds come with all that they depend on, so the items of a stage take no time of their own. */
const NO_SECONDS = 1e-6;

/** The facts with which a stage is weighed. */
export interface StageInput {
  readonly items: readonly Splittable[];
  /** By number, each with those that it directly waits for. */
  readonly builds: readonly PredictedBuild[];
  readonly machine: Machine;
  readonly request: ShardRequest & { readonly predict?: Predict | undefined };
  /** Whether a shard can get a build from a cache. */
  readonly canStage: (build: number) => boolean;
  /** Whether the item of this name runs without a cache, its builds included. */
  readonly isFresh: (name: string) => boolean;
}

/** A plan with a stage. */
export interface StagedPlan {
  readonly plan: ShardPlan;
  readonly jobs: readonly StagedJob[];
  /** Seconds by which the shards start later: the stage with its set-up, its upload and their download. */
  readonly delaySeconds: number;
  /** Seconds until the last machine is done, and of all machines together. */
  readonly wallSeconds: number;
  readonly machineSeconds: number;
}

export interface StagedJob {
  /** Numbers of builds, each after those that it depends on. */
  readonly builds: readonly number[];
  /** Without set-up and upload. */
  readonly seconds: number;
}

/** Why no plan with a stage is better than the plan without one. */
export interface NoStage {
  readonly plan?: never;
  /**
   * `not repeated`: no machine makes a build that another one makes too. `fresh`: only tests that run without a cache repeat builds. `not
   * restored`: no cache brings back what is repeated. `small`: a stage cannot save its own cost, which is `seconds` above the saving.
   * `late`: each stage that saves machine time finishes later, by at least `seconds`. `dear`: each needs more machine time, by at least
   * `seconds`.
   */
  readonly why: 'not repeated' | 'fresh' | 'not restored' | 'small' | 'late' | 'dear';
  readonly seconds: number;
  /** The repeated builds that no cache brings back. */
  readonly unrestored: readonly number[];
}

/**
 * Returns the cheapest plan with a stage that finishes no later than the given plan without one, and uses less machine time; if none does,
 * the reason. All shards wait for the stage.
 */
export function weighStage(plain: ShardPlan, input: StageInput): StagedPlan | NoStage {
  const often = repeatsOf(plain, input, input.isFresh);
  const [least] = REPEATED;
  const unrestored = [...often.keys()].filter((build) => (often[build] ?? 0) >= least && !input.canStage(build));
  const none = (why: NoStage['why'], seconds = 0): NoStage => ({ why, seconds, unrestored });
  if (Math.max(0, ...often) < least) return none(Math.max(0, ...repeatsOf(plain, input, () => false)) < least ? 'not repeated' : 'fresh');
  const most = stagedFrom(often, least, input);
  if (most.size === 0) return none('not restored');
  const missing = stageCost(input) - savingOf(most, often, input);
  if (missing >= 0) return none('small', missing);
  const all = plansFor(often, { ...input, plain });
  const without = costOf(plain, input.request.setupSeconds);
  const cheaper = all.filter(({ machineSeconds }) => machineSeconds < without.machineSeconds);
  if (cheaper.length === 0) return none('dear', Math.min(...all.map(({ machineSeconds }) => machineSeconds - without.machineSeconds)));
  const inTime = cheaper.filter(({ wallSeconds }) => wallSeconds <= without.wallSeconds);
  const [best] = inTime.sort((a, b) => a.machineSeconds - b.machineSeconds);
  return best ?? none('late', Math.min(...cheaper.map(({ wallSeconds }) => wallSeconds - without.wallSeconds)));
}

/** Returns the plans with a stage that may save time, for each number of repeats and of jobs. */
function plansFor(often: readonly number[], input: StageInput & { readonly plain: ShardPlan }): readonly StagedPlan[] {
  let last = 0;
  return REPEATED.flatMap((repeats) => {
    const staged = stagedFrom(often, repeats, input);
    if (staged.size === last || savingOf(staged, often, input) <= stageCost(input)) return [];
    last = staged.size;
    return plansWith(staged, input);
  });
}

interface Cost {
  readonly wallSeconds: number;
  readonly machineSeconds: number;
}

function costOf({ choice: { packing } }: ShardPlan, setupSeconds: number): Cost {
  const machineSeconds = packing.loads.reduce((sum, load) => sum + load + setupSeconds, 0);
  return { wallSeconds: setupSeconds + packing.makespan, machineSeconds };
}

/** Returns by build: the number of shards that make it for items other than those that must be fresh. */
function repeatsOf({ items, choice }: ShardPlan, { builds }: StageInput, isFresh: StageInput['isFresh']): readonly number[] {
  const often = builds.map(() => 0);
  for (const places of choice.packing.shards) {
    const cached = places.flatMap((place) => items[place] ?? []).filter(({ of }) => !isFresh(of));
    for (const build of new Set(cached.flatMap(({ item }) => item.builds))) often[build] = (often[build] ?? 0) + 1;
  }
  return often;
}

/** Returns the builds for a stage, only with all that they depend on: otherwise a shard would wait for what it makes itself. */
function stagedFrom(often: readonly number[], repeats: number, { builds, canStage }: StageInput): ReadonlySet<number> {
  const answers = new Map<number, boolean>();
  const isStaged = (build: number): boolean => {
    const known = answers.get(build);
    if (known !== undefined) return known;
    // In a cycle, which turborepo rejects anyway, no build is staged.
    answers.set(build, false);
    const answer = (often[build] ?? 0) >= repeats && canStage(build) && (builds[build]?.after ?? []).every(isStaged);
    answers.set(build, answer);
    return answer;
  };
  return new Set([...builds.keys()].filter(isStaged));
}

/** Returns at most what a stage saves: each build is made once. */
function savingOf(staged: ReadonlySet<number>, often: readonly number[], { builds, machine }: StageInput): number {
  let saved = 0;
  for (const build of staged) {
    const times = builds[build];
    if (times !== undefined) saved += ((often[build] ?? 0) - 1) * shareOf(times, machine);
  }
  return saved;
}

/** Returns at least what a stage costs: one job and one shard. */
function stageCost({ request }: StageInput): number {
  return request.setupSeconds + 2 * TRANSFER_SECONDS;
}

/** Returns the plan with some builds in a stage, for each number of jobs. */
function plansWith(staged: ReadonlySet<number>, input: StageInput & { readonly plain: ShardPlan }): readonly StagedPlan[] {
  const { items, builds, machine, request, isFresh, plain } = input;
  const { setupSeconds, maxShards } = request;
  const rest = items.map((one) => {
    if (isFresh(one.item.name)) return one;
    return { ...one, item: { ...one.item, builds: one.item.builds.filter((build) => !staged.has(build)) } };
  });
  const shares = builds.map((one) => shareOf(one, machine));
  const plan = planShards(rest, shares, { ...request, shards: plain.choice.packing.shards.length });
  const testing = costOf(plan, setupSeconds);
  return JOBS.filter((count) => count <= maxShards).map((count) => {
    const jobs = stageOf(staged, { builds, shares, machine }, count);
    const longest = Math.max(...jobs.map(({ seconds }) => seconds));
    const delaySeconds = setupSeconds + longest + 2 * TRANSFER_SECONDS;
    const building = jobs.reduce((sum, { seconds }) => sum + seconds + setupSeconds + TRANSFER_SECONDS, 0);
    const machineSeconds = building + testing.machineSeconds + plan.choice.packing.shards.length * TRANSFER_SECONDS;
    return { plan, jobs, delaySeconds, wallSeconds: delaySeconds + testing.wallSeconds, machineSeconds };
  });
}

/** Spreads builds over jobs. Each job makes what its builds depend on, whether another one makes it too or not. */
function stageOf(
  staged: ReadonlySet<number>,
  { builds, shares, machine }: Pick<StageInput, 'builds' | 'machine'> & { readonly shares: readonly number[] },
  count: number,
): readonly StagedJob[] {
  const inner = new Set([...staged].flatMap((build) => builds[build]?.after ?? []));
  const items = [...staged]
    .filter((build) => !inner.has(build))
    .map((build) => ({ name: String(build).padStart(9, '0'), seconds: NO_SECONDS, builds: withAllBefore(build, builds) }));
  return pack({ items, buildSeconds: shares }, count).shards.map((places) => {
    const made = [...new Set(places.flatMap((place) => items[place]?.builds ?? []))];
    return { builds: made, seconds: predictBuilds(made, builds, machine) };
  });
}

/** Returns a build and all that it depends on, which come first. */
function withAllBefore(build: number, builds: readonly PredictedBuild[], found = new Set<number>()): readonly number[] {
  for (const other of builds[build]?.after ?? []) if (!found.has(other)) withAllBefore(other, builds, found);
  found.add(build);
  return [...found];
}
