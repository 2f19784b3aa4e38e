import { expect, test } from '@jest/globals';
import { affectedOf } from '../gate/proof.fixture.js';
import type { AffectedReason } from '../result.js';
import { buildPlan, type PlanInput } from './build-plan.js';
import { hashingOf } from './hashing.fixture.js';
import { type Plan, wallOf } from './plan.js';
import { parsePlan, sealPlan } from './seal.js';
import type { PlannedWorkspace } from './upstream.js';

const FILE: AffectedReason = { kind: 'file', file: 'x', others: 0 };
const LIBS = ['left', 'right'];
const USERS = ['app', 'web', 'cli'];

function workspace(name: string, dependencies: readonly string[], scripts: Readonly<Record<string, string>>): PlannedWorkspace {
  return { name, path: `packages/${name}`, scripts: new Map(Object.entries(scripts)), dependencies, needs: dependencies, isRuled: false };
}

/** Two builds of 300 seconds, which three tests of 300 seconds need. */
function plan(more: Partial<PlanInput> = {}, build = 'build'): Plan {
  const workspaces = [
    ...LIBS.map((name) => workspace(name, [], { [build]: 'tsc' })),
    ...USERS.map((name) => workspace(name, LIBS, { test: 'node test.js' })),
  ];
  const affected = affectedOf(USERS);
  return buildPlan({
    affected: { ...affected, workspaces: affected.workspaces.map((one) => ({ ...one, reasons: [FILE] })) },
    task: 'test',
    workspaces,
    turboTasks: new Map([
      [build, [`^${build}`]],
      ['test', [`^${build}`]],
    ]),
    hashing: hashingOf({ tasks: { [build]: {}, test: {} } }),
    timings: timesWithout('', build),
    machine: { cores: 2, concurrency: 1 },
    testFiles: new Map(),
    listedFiles: new Map(),
    fileTimes: new Map(),
    shardRequest: { setupSeconds: 60, maxShards: 20, shards: 3 },
    base: { workspaces, turboTasks: new Map([['test', []]]), leftBehind: new Map() },
    agreed: { dropped: [], named: [] },
    restored: () => true,
    ...more,
  });
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

test.each<[why: string, more: Partial<PlanInput>]>([
  ['nobody asked for it', { restored: undefined }],
  ['the machine is not known', { machine: undefined }],
  ['the time of a test is a guess', { timings: timesWithout('app#test') }],
  ['the time of a build is not known', { timings: timesWithout('left#build') }],
  ['no cache brings the builds back', { restored: () => false }],
  [
    'the tests run without a cache',
    { hashing: hashingOf({ tasks: { build: { inputs: ['src/**'] }, test: {} } }), affected: affectedOf(USERS) },
  ],
])('a plan has no stage where %s', (_, more) => expect(plan(more)).not.toHaveProperty('stage'));

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
