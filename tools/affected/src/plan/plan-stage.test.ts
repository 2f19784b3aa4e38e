import { expect, test } from '@jest/globals';
import { affectedOf } from '../gate/proof.fixture.js';
import { planSummary } from '../summary/plan-summary.js';
import { affectedBy, planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import { hashingOf } from './hashing.fixture.js';
import { type Plan, wallOf } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { parsePlan, sealPlan } from './seal.js';

const LIBS = ['left', 'right'];
const USERS = ['app', 'web', 'cli'];

/** Two builds of 300 seconds, which three tests of 300 seconds need. */
function plan(more: Partial<PlanInput> = {}, build = 'build'): Plan {
  const workspaces = [
    ...LIBS.map((name) => workspaceOf(name, { [build]: 'tsc' })),
    ...USERS.map((name) => workspaceOf(name, { test: 'node test.js' }, LIBS)),
  ];
  const given = planInput(workspaces, {
    affected: affectedBy(USERS),
    turboTasks: new Map([
      [build, [`^${build}`]],
      ['test', [`^${build}`]],
    ]),
    hashing: hashingOf({ tasks: { [build]: {}, test: {} } }),
    timings: timesWithout('', build),
    machine: { cores: 2, concurrency: 1 },
    shardRequest: { setupSeconds: 60, maxShards: 20, shards: 3 },
    stage: { restored: () => true },
  });
  return buildPlan({ ...given, ...more });
}

function timesWithout(task: string, build = 'build'): PlanInput['timings'] {
  const tasks = [...LIBS.map((name) => `${name}#${build}`), ...USERS.map((name) => `${name}#test`)];
  return new Map(tasks.filter((one) => one !== task).map((one) => [one, [300]]));
}

test('a plan with a stage has its jobs, and says what it would take without', () => {
  const made = plan();
  expect(made.stage).toEqual({
    jobs: [
      { id: '01', seconds: 300, builds: ['left#build'] },
      { id: '02', seconds: 300, builds: ['right#build'] },
    ],
    seconds: 380,
    machineSeconds: 2 * 370 + 3 * 370,
    without: { shards: 3, wallSeconds: 960, machineSeconds: 2880 },
  });
  expect(made.shards.map(({ seconds, builds }) => [seconds, builds])).toEqual([
    [300, 0],
    [300, 0],
    [300, 0],
  ]);
  expect(wallOf(made)).toBe(380 + 60 + 300);
  expect(parsePlan(JSON.stringify(made), 'plan.json')).toEqual(made);
});

test('a plan has no stage, and no reason for that, if nobody asked for one', () => {
  expect(Object.keys(plan({ stage: undefined }))).not.toContainEqual(expect.stringMatching(/stage/i));
});

const timesOf = (builds: number, tests = 300): PlanInput['timings'] =>
  new Map([...timesWithout('')].map(([id]) => [id, [id.endsWith('#build') ? builds : tests]]));

test.each<[sentence: string, more: Partial<PlanInput>, build?: string]>([
  [
    "TURBO_API names a remote cache, in which shards find each other's builds",
    { stage: { restored: () => true, remoteCache: 'TURBO_API' } },
  ],
  ['no receipt in the timings shows the processors of a shard', { machine: undefined }],
  ['no run shows how long the tests take in app', { timings: timesWithout('app#test') }],
  ['no run shows how long the tests take in app and 2 more', { timings: new Map() }],
  ['no run shows how long these builds take: left#build', { timings: timesWithout('left#build') }],
  ['no two shards make the same build', { affected: affectedBy([]) }],
  ['no two shards make the same build', { shardRequest: { setupSeconds: 60, maxShards: 1, shards: 1 } }],
  [
    'no repeated build can be in it, for example because turbo.json does not show that a cache restores left#build ("outputs", "cache")',
    { stage: { restored: () => false } },
  ],
  ['no repeated build can be in it, for example because left#test:unit counts as tests by its name', {}, 'test:unit'],
  [
    'builds are repeated only for tests that run without a cache',
    { hashing: hashingOf({ tasks: { build: { inputs: ['src/**'] }, test: {} } }), affected: affectedOf(USERS) },
  ],
  ['its set-up and transfers take 1 min 16 s more than it can save', { timings: timesOf(1) }],
  // One chain: 60 s of set-up and 20 s of transfers come on top, and nothing is done earlier.
  [
    'the best one found ends 1 min 20 s later',
    { turboTasks: new Map(Object.entries({ build: ['^build'], test: ['^build', 'left#build'], 'right#build': ['left#build'] })) },
  ],
  // Two of three shards would save 45 s each, for a set-up of 60 s, an upload and three downloads of 10 s.
  ['the best one found needs 10 s more machine time', { timings: timesOf(22.5) }],
  [
    'its set-up and transfers take 59 s more than it can save. It leaves out 1 repeated build, for example because turbo.json does not show that a cache restores left#build ("outputs", "cache")',
    { timings: new Map([...timesOf(300), ['right#build', [10.5]]]), stage: { restored: (name) => name !== 'left' } },
  ],
])('a plan without a stage says why: %s', (sentence, more, build = 'build') => {
  const made = plan(more, build);
  expect(made).toMatchObject({ noStage: `There is no build stage: ${sentence}.` });
  expect(made).not.toHaveProperty('stage');
  expect(parsePlan(JSON.stringify(made), 'plan.json')).toEqual(made);
  expect(planSummary(made)).toContain(sentence);
});

test.each([
  ['codegen', 2],
  ['unit', 0],
  ['test:unit', 0],
  ['e2e', 0],
])('a stage makes what is called %s: %i jobs, because no test comes from it', (name, jobs) => {
  expect(plan({}, name).stage?.jobs ?? []).toHaveLength(jobs);
});

test.each<[what: string, builds: readonly unknown[]]>([
  ['the task of the plan', ['app#test']],
  ['an option', ['--filter#build']],
  ['an option as a task', ['app#--force']],
  ['no task', ['app']],
  ['nothing', []],
  ['a quote', ["a'b#build"]],
])('a stage that names %s makes a plan invalid', (_, builds) => {
  const { hash: _hash, stage, ...rest } = plan();
  const jobs = [{ id: '01', seconds: 1, builds }];
  const changed = sealPlan({ ...rest, stage: { ...stage, jobs } } as unknown as Plan);
  expect(() => parsePlan(JSON.stringify(changed), 'plan.json')).toThrow('its format is not');
});
