import { describe, expect, test } from '@jest/globals';
import type { Machine } from './machine.js';
import { type Predict, planShards } from './pack/plan-shards.js';
import type { Splittable } from './pack/split.js';
import { type PredictedBuild, predictShard } from './predict-shard.js';
import { type NoStage, type StagedPlan, type StageInput, TRANSFER_SECONDS, weighStage } from './stage.js';

const SETUP = 60;

interface Scene {
  readonly builds: readonly PredictedBuild[];
  readonly shards: number;
  readonly machine?: Machine;
  readonly maxShards?: number;
  readonly canStage?: StageInput['canStage'];
  readonly isFresh?: StageInput['isFresh'];
  /** The builds of each test. */
  readonly needs?: readonly (readonly number[])[];
}

function build(seconds: number, ...after: readonly number[]): PredictedBuild {
  return { seconds, cpuSeconds: seconds, after };
}

/** Six tests, which need all builds if nothing else is given. */
function weigh({
  builds,
  shards,
  machine = { cores: 1, concurrency: 1 },
  maxShards = 20,
  needs = [],
  ...more
}: Scene): StagedPlan | NoStage {
  const items = Array.from({ length: 6 }, (_, at): Splittable => {
    return { item: { name: `test-${at}`, seconds: 200, builds: needs[at] ?? [...builds.keys()] }, canSplit: 'no', mostParts: 1 };
  });
  const predict: Predict = (split) =>
    predictShard(
      split.map(({ item }) => ({ ...item, cpuSeconds: item.seconds, part: null, fresh: false, after: item.builds })),
      builds,
      machine,
    );
  const request = { setupSeconds: SETUP, maxShards, shards, predict };
  const plain = planShards(
    items,
    builds.map(({ seconds }) => seconds),
    request,
  );
  return weighStage(plain, { items, builds, machine, request, canStage: () => true, isFresh: () => false, ...more });
}

function stagedOf(scene: Scene): StagedPlan {
  const found = weigh(scene);
  if (found.plan === undefined) throw new Error(`no stage: ${found.why}`);
  return found;
}

describe('a stage', () => {
  test('is chosen where it finishes no later and costs less, with its set-up and transfers counted', () => {
    const staged = stagedOf({ builds: [build(300), build(300)], shards: 3 });
    expect(staged.jobs.map(({ builds, seconds }) => ({ builds, seconds }))).toEqual([
      { builds: [0], seconds: 300 },
      { builds: [1], seconds: 300 },
    ]);
    expect(staged.plan.choice.packing.loads).toEqual([400, 400, 400]);
    expect(staged).toMatchObject({
      delaySeconds: SETUP + 300 + 2 * TRANSFER_SECONDS,
      wallSeconds: 2 * SETUP + 300 + 2 * TRANSFER_SECONDS + 400,
    });
    // Two jobs with an upload each, three shards with a download each.
    expect(staged.machineSeconds).toBe(2 * (SETUP + 300 + TRANSFER_SECONDS) + 3 * (SETUP + TRANSFER_SECONDS + 400));
  });

  test('makes what builds depend on in each job', () => {
    const staged = stagedOf({ builds: [build(40), build(300, 0), build(300, 0)], shards: 3 });
    expect(staged.jobs.map(({ builds }) => builds).sort()).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  test('is the cheapest of those that finish no later', () => {
    const needs = [
      [0, 1],
      [1, 3],
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2],
    ];
    const staged = stagedOf({ builds: [build(150), build(300), build(60, 1), build(60, 1)], needs, shards: 5 });
    // With build 3, which depends on build 1 too, a third job would have to make that once more: 2490 s of machines.
    expect(staged.jobs.map(({ builds }) => builds).sort()).toEqual([[0], [1, 2]]);
    expect(staged.machineSeconds).toBe(2250);
  });

  test.each<[title: string, why: NoStage['why'], scene: Scene]>([
    // One after the other, in a stage or not: all its set-up comes on top.
    ['one chain decides', 'late', { builds: [build(300), build(300, 0)], shards: 3 }],
    ['the builds are short', 'small', { builds: [build(10), build(10)], shards: 3 }],
    ['transfers cost more than it saves', 'dear', { builds: [build(20), build(25)], shards: 3 }],

    ['nothing is repeated', 'not repeated', { builds: [build(300), build(300)], shards: 1 }],
    ['a cache brings nothing back', 'not restored', { builds: [build(300), build(300)], shards: 3, canStage: () => false }],
    [
      'a build waits for one that no cache brings back',
      'not restored',
      { builds: [build(1), build(300, 0), build(300, 0)], shards: 3, canStage: (at) => at > 0 },
    ],
    ['all tests run without a cache', 'fresh', { builds: [build(300), build(300)], shards: 3, isFresh: () => true }],
    [
      'one of the tests makes them again without a cache',
      'late',
      { builds: [build(300), build(300)], shards: 3, isFresh: (name) => name === 'test-0' },
    ],
    [
      'the builds run at the same time anyway',
      'late',
      { builds: [build(300), build(300)], shards: 3, machine: { cores: 2, concurrency: 2 } },
    ],
  ])('is not chosen where %s', (_, why, scene) => {
    expect(weigh(scene)).toMatchObject({ why });
  });
});
