import type { Load } from '@tributary/affected/plan/pack/item';
import { longestChains, longestPaths, type Machines } from './plan-machines.js';

/** What a stage costs beside its builds, in seconds. */
export interface StageOverhead {
  readonly setup: number;
  /** An upload, or a download. */
  readonly transfer: number;
}

/** The time of the stage is looked at in so many spans, in each as if it had the best of both of its ends. */
const SPANS = 400;

/**
 * Machine time for builds, over that of building everything once, which no stage falls below whose shards are done within `wallSeconds`;
 * `Infinity`: no stage is done by then. Each build counts as if it could be split: made once in the stage, for its share of a machine there,
 * if the stage has time for all that it depends on; else in as many shards as its dependents take, which must have room for it.
 */
export function leastFactor(load: Load, machines: Machines, scene: StageOverhead & { readonly wallSeconds: number }): number {
  // For the stage and the tests together.
  const left = scene.wallSeconds - 2 * scene.setup - 2 * scene.transfer;
  // A part of each chain of builds and a test may be in the stage; all of it comes one after the other.
  if (Math.max(...longestPaths(load)) > left) return Number.POSITIVE_INFINITY;
  const spans = Array.from({ length: SPANS }, (_, at) => [(left * at) / SPANS, (left * (at + 1)) / SPANS] as const);
  const builds = buildsOf(load, machines.atOnce);
  return Math.min(
    ...spans.map(([from, to]) => leastWithin(load, machines, { ...scene, builds, to, room: (left - from) * machines.atOnce })),
  );
}

interface Span extends StageOverhead {
  readonly builds: readonly StagedBuild[];
  /** The stage takes so many seconds at most. */
  readonly to: number;
  /** Seconds of one task at once, in each shard. */
  readonly room: number;
}

function leastWithin({ items, buildSeconds }: Load, { shards, atOnce }: Machines, { builds, to, room, setup, transfer }: Span): number {
  const testing = sum(items.map(({ seconds }) => seconds));
  const price = 1 + (setup + transfer) / to;
  const all = builds.map(({ seconds, stage, testing: own }) => {
    const repeats = Math.max(1, Math.ceil(own / room));
    return { seconds, repeats, canStage: stage <= to, isStaged: stage <= to && repeats > price };
  });
  const unstaged = all.filter(({ isStaged }) => !isStaged);
  let cost = sum(all.map(({ seconds, repeats, isStaged }) => seconds * (isStaged ? price : repeats)));
  let over = testing + sum(unstaged.map(({ seconds, repeats }) => seconds * repeats)) - shards * room;
  // What the shards have no room for goes into the stage too, the most repeated first.
  for (const { seconds, repeats } of unstaged.filter(({ canStage }) => canStage).sort((a, b) => b.repeats - a.repeats)) {
    const moved = Math.min(seconds, Math.max(0, over) / repeats);
    over -= moved * repeats;
    cost += moved * (price - repeats);
  }
  // A stage builds something.
  if (over > 1e-6 * testing || !all.some(({ canStage }) => canStage) || items.some(({ seconds }) => seconds * atOnce > room))
    return Number.POSITIVE_INFINITY;
  return (cost + atOnce * transfer * Math.ceil(testing / room)) / sum(buildSeconds);
}

interface StagedBuild {
  readonly seconds: number;
  /** What a machine takes at least that makes it for others, with all that it depends on. */
  readonly stage: number;
  /** Of all tests that need it. */
  readonly testing: number;
}

/** In made-up loads the build and the item of one number are of one package. */
function buildsOf({ items, buildSeconds }: Load, atOnce: number): readonly StagedBuild[] {
  const chains = longestChains({ items, buildSeconds });
  const testing = buildSeconds.map(() => 0);
  for (const { seconds, builds } of items) for (const build of builds) testing[build] = (testing[build] ?? 0) + seconds;
  return buildSeconds.map((seconds, build) => {
    const all = sum((items[build]?.builds ?? []).map((other) => buildSeconds[other] ?? 0));
    return { seconds, stage: Math.max(all / atOnce, chains[build] ?? 0), testing: testing[build] ?? 0 };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
