import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge } from '../gate/judge.js';
import { affectedOf, receiptsFor } from '../gate/proof.fixture.js';
import type { AffectedReason } from '../result.js';
import { affectedBy, FILE, planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import { hashingOf } from './hashing.fixture.js';
import { type Plan, pieceName } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { formatPlan, parsePlan } from './seal.js';
import type { PlannedWorkspace } from './upstream.js';

function workspace(name: string, test?: string, dependencies: readonly string[] = []): PlannedWorkspace {
  const one = workspaceOf(name, { build: 'tsc', ...(test === undefined ? {} : { test }) }, dependencies);
  return name === 'root' ? { ...one, path: '' } : one;
}

const WORKSPACES = [
  workspace('root', 'turbo run test'),
  workspace('ui', 'jest', ['core']),
  workspace('app', 'node test.js', ['ui']),
  workspace('core', 'node test.js'),
  workspace('docs'),
];

function input(more: Partial<PlanInput> = {}): PlanInput {
  return planInput(more.workspaces ?? WORKSPACES, {
    timings: new Map([
      ['ui#test', [100]],
      ['app#test', [50]],
      ['core#test', [10]],
      ['core#build', [20]],
      ['ui#build', [30]],
    ]),
    testFiles: new Map([['ui', 40]]),
    listedFiles: new Map([['ui', 40]]),
    ...more,
  });
}

function piecesOf({ shards }: Plan): readonly string[] {
  return shards.flatMap(({ pieces }) => pieces.map(pieceName)).sort();
}

describe('a plan', () => {
  test('has what is affected and has the task; the others are left out, each for a reason', () => {
    const plan = buildPlan(input());
    expect(piecesOf(plan)).toEqual(['app', 'core', 'ui']);
    expect(plan.leftOut).toEqual([
      { workspace: 'docs', reason: 'It has no script "test".' },
      { workspace: 'root', reason: 'turbo.json has no task "//#test" for the root.' },
    ]);
  });

  test('that only reports has the others too, without a cached result, and says why a selection would leave them out', () => {
    const plan = buildPlan(input({ affected: affectedBy(['core']), reportOnly: true }));
    expect(piecesOf(plan)).toEqual(['app', 'core', 'ui']);
    const path = (name: string): string => `packages/${name}`;
    const reason = 'The change does not affect it.';
    expect(plan.unselected).toEqual(['app', 'ui'].map((workspace) => ({ workspace, path: path(workspace), reason })));
    const pieces = plan.shards.flatMap((shard) => shard.pieces);
    expect(pieces.filter(({ workspace }) => workspace !== 'core').every(({ fresh }) => fresh)).toBe(true);
    expect(parsePlan(formatPlan(plan), 'plan.json')).toEqual(plan);
    const found = receiptsFor(plan).map((receipt) => ({ file: 'x.json', receipt }));
    expect(judge(plan, found, { ofPlan: 1 }).problems).toEqual([]);
    const without = { ...plan, unselected: [...(plan.unselected ?? []), { workspace: 'lost', path: 'lost', reason }] };
    expect(judge(without, found, { ofPlan: 1 }).problems.map(({ message }) => message)).toEqual([
      'lost is not in the plan, which is to run everything.',
    ]);
    // Nothing is affected, and turborepo would run the task of the root.
    const turboTasks = new Map([
      ['test', []],
      ['//#test', []],
    ]);
    const idle = buildPlan(input({ affected: affectedBy([]), turboTasks, reportOnly: true }));
    expect(idle.unselected).toContainEqual({ workspace: 'root', path: '.', reason });
  });

  test('leaves out whom only files select that inputs leave out, and says so in one line', () => {
    const hashing = hashingOf({
      tasks: { build: {}, test: { inputs: ['src/**'] } },
      changed: { core: 'packages/core/a\n::error::b.json packages/core/x' },
    });
    const { leftOut } = buildPlan(input({ affected: affectedBy(['core']), hashing }));
    expect(leftOut).toEqual([]);
    const plain = hashingOf({
      tasks: { build: {}, test: { inputs: ['!src/**'] } },
      changed: { core: 'packages/core/a\n::error::b.json packages/core/x' },
    });
    const plan = buildPlan(input({ affected: affectedBy(['core']), hashing: plain }));
    const reason = 'Only packages/core/a?::error::b.json and 1 more changed, which the inputs of "test" in turbo.json exclude.';
    expect(plan).toMatchObject({ shards: [], leftOut: [{ workspace: 'core', reason }] });
    expect(parsePlan(formatPlan(plan), 'plan.json')).toEqual(plan);
  });

  test('has nobody who is not affected', () => {
    expect(piecesOf(buildPlan(input({ affected: affectedBy(['core']) })))).toEqual(['core']);
    expect(buildPlan(input({ affected: affectedBy([]) }))).toMatchObject({ shards: [], leftOut: [], guessed: 0, everythingSeconds: 160 });
  });

  test('is the same where times add up otherwise in another order', () => {
    const workspaces = ['a', 'b', 'c'].map((name) => workspace(name, 'node test.js'));
    const timings = new Map(Object.entries({ 'a#test': [8.248], 'b#test': [1.374], 'c#test': [6.803] }));
    const given = input({ workspaces, timings });
    expect(buildPlan({ ...given, workspaces: workspaces.toReversed() })).toEqual(buildPlan(given));
  });

  test('has the root, if turbo.json has a task for it', () => {
    const turboTasks = new Map([['//#test', []]]);
    const plan = buildPlan(input({ turboTasks }));
    expect(piecesOf(plan)).toEqual(['root']);
    expect(plan.leftOut).toContainEqual({ workspace: 'ui', reason: 'turbo.json has no task "test" for it.' });
  });

  test('has a workspace of which alone turbo.json knows the task', () => {
    const turboTasks = new Map([['ui#test', []]]);
    expect(piecesOf(buildPlan(input({ turboTasks })))).toEqual(['ui']);
  });

  test('names what is affected and no workspace', () => {
    const plan = buildPlan(input({ affected: affectedBy(['core', 'gone']) }));
    expect(plan.leftOut).toEqual([{ workspace: 'gone', reason: 'It is not a workspace at the head.' }]);
  });

  test('needs a task that turborepo knows', () => {
    expect(() => buildPlan(input({ task: 'e2e' }))).toThrow(expect.objectContaining({ code: 'TASK_UNKNOWN' }));
  });

  test('counts what each machine builds, once', () => {
    // ui needs core#build, app needs both builds.
    expect(buildPlan(input()).shards).toEqual([expect.objectContaining({ id: '01', seconds: 100 + 50 + 10 + 20 + 30, builds: 50 })]);
    const two = buildPlan(input({ affected: affectedBy(['ui', 'app']), shardRequest: { setupSeconds: 60, maxShards: 2, shards: 2 } }));
    expect(two.shards.reduce((sum, { builds }) => sum + builds, 0)).toBeGreaterThanOrEqual(50);
  });

  test('runs fresh what the hash of turborepo does not see', () => {
    const affected = affectedBy(['ui', 'core']);
    const [core, ui] = [affected.workspaces[1], affected.workspaces[0]] as const;
    if (core === undefined || ui === undefined) throw new Error('no workspaces');
    const plan = buildPlan(input({ affected: { ...affected, workspaces: [ui, { ...core, reasons: [FILE, { kind: 'always' }] }] } }));
    const fresh = plan.shards.flatMap(({ pieces }) => pieces.filter((piece) => piece.fresh).map(pieceName));
    expect(fresh).toEqual(['core']);
  });

  test('cuts a long workspace whose script is one call of a runner', () => {
    const plan = buildPlan(input({ affected: affectedBy(['ui', 'core']), shardRequest: { setupSeconds: 1, maxShards: 4, shards: 4 } }));
    const parts = plan.shards.flatMap(({ pieces }) => pieces.filter(({ workspace: name }) => name === 'ui'));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ part }) => part?.[0]).sort()).toEqual(parts.map((_, at) => at + 1));
    expect(parts.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(100);
  });

  test.each([
    [2, 1],
    [4, 2],
    [7, 3],
  ])('cuts %d test files into no more than %d parts: none may be empty', (files, most) => {
    const shardRequest = { setupSeconds: 1, maxShards: 20, shards: 20 };
    const plan = buildPlan(input({ affected: affectedBy(['ui']), shardRequest, listedFiles: new Map([['ui', files]]) }));
    expect(piecesOf(plan)).toHaveLength(most);
  });

  test('cuts by the times of test files where they are known', () => {
    const files = [9, 1, 1, 1, 1, 1, 1, 1].map((seconds, at) => ({ file: `${at}.test.js`, seconds }));
    const shardRequest = { setupSeconds: 1, maxShards: 2, shards: 2 };
    const given = { affected: affectedBy(['ui']), shardRequest, timings: new Map([['ui#test', [160]]]) };
    const plan = buildPlan(
      input({
        ...given,
        fileTimes: new Map([
          ['ui', files],
          ['app', files],
        ]),
      }),
    );
    expect(plan.shards.flatMap(({ pieces }) => pieces.map(({ seconds }) => seconds))).toEqual([90, 70]);
    expect(plan.fileTimes).toEqual([{ workspace: 'ui', files }]);
    expect(buildPlan(input(given)).fileTimes).toEqual([]);
  });

  describe('does not cut', () => {
    const shardRequest = { setupSeconds: 1, maxShards: 4, shards: 4 };
    test.each<[title: string, more: Partial<PlanInput>]>([
      ['any other script', { workspaces: [workspace('ui', 'jest && true', ['core']), workspace('core')] }],
      ['one test file', { listedFiles: new Map([['ui', 1]]) }],
      ['most of its test files gone since', { testFiles: new Map([['ui', 2]]) }],
      ['what is not known to have any', { listedFiles: new Map() }],
      // turborepo would give the part to the tests of core too.
      ['tests that run after those of others', { turboTasks: new Map([['test', ['^test']]]) }],
    ])('%s', (_, more) => {
      expect(piecesOf(buildPlan(input({ affected: affectedBy(['ui']), shardRequest, ...more })))).toEqual(['ui']);
    });
  });
});

describe('what no shard could run', () => {
  const unrunnable = { problem: 'nobody sees it', hint: 'Show it.' };
  const withHidden = (hidden: PlannedWorkspace): readonly PlannedWorkspace[] => [workspace('ui', 'jest'), { ...hidden, unrunnable }];

  test('is an error at once', () => {
    expect(() => buildPlan(input({ workspaces: withHidden(workspace('app', 'jest')) }))).toThrow(
      expect.objectContaining({
        code: 'WORKSPACE_UNRUNNABLE',
        message: 'The task "test" of app (packages/app) can never run: nobody sees it.',
      }),
    );
  });

  test('is no hindrance if it is not affected, or has no such task', () => {
    const affected = affectedBy(['ui']);
    expect(piecesOf(buildPlan(input({ workspaces: withHidden(workspace('app', 'jest')), affected })))).toEqual(['ui']);
    expect(piecesOf(buildPlan(input({ workspaces: withHidden(workspace('app')) })))).toEqual(['ui']);
  });
});

describe('whatever is affected', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const one = fc.record({
    script: fc.constantFrom('jest', 'vitest run', 'mocha', 'make', '', undefined),
    below: fc.subarray(names),
    seconds: fc.option(fc.integer({ min: 0, max: 2000 })),
    building: fc.option(fc.integer({ min: 0, max: 100 })),
    files: fc.nat(60),
    affected: fc.boolean(),
    reason: fc.constantFrom<AffectedReason>(FILE, { kind: 'always' }, { kind: 'dependency', path: ['x', 'a'], because: { kind: 'added' } }),
  });
  const shardRequest = fc.record({
    setupSeconds: fc.integer({ min: 1, max: 300 }),
    maxShards: fc.integer({ min: 1, max: 12 }),
    at: fc.nat(2),
  });
  const inputs = fc.tuple(fc.tuple(...names.map(() => one)), shardRequest).map(([all, { at, ...size }]): PlanInput => {
    const some = all.map((each, place) => ({ name: names[place] ?? '', ...each }));
    const times = some.flatMap(({ name, seconds, building }): (readonly [string, readonly number[]])[] => [
      [`${name}#test`, seconds === null ? [] : [seconds]],
      [`${name}#build`, building === null ? [] : [building]],
    ]);
    const affected = affectedOf(some.filter((each) => each.affected).map(({ name }) => name));
    const reasons = new Map(some.map(({ name, reason }) => [name, [reason]]));
    return input({
      workspaces: some.map(({ name, script, below }) => workspace(name, script, below)),
      affected: { ...affected, workspaces: affected.workspaces.map((each) => ({ ...each, reasons: reasons.get(each.name) ?? [] })) },
      timings: new Map(times),
      testFiles: new Map(some.map(({ name, files }) => [name, files])),
      listedFiles: new Map(some.map(({ name, files }) => [name, files])),
      shardRequest: [{ ...size }, { ...size, shards: size.maxShards }, { ...size, targetSeconds: 600 }][at] ?? size,
    });
  });

  test('each workspace with the task runs once, or each part of it once: receipts of all shards are a proof', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const plan = buildPlan(given);
        expect(
          judge(
            plan,
            receiptsFor(plan).map((receipt) => ({ file: '', receipt })),
            { ofPlan: 1 },
          ).problems,
        ).toEqual([]);
        const planned = plan.shards.flatMap(({ pieces }) => pieces.map(({ workspace: name }) => name));
        const out = plan.leftOut.map(({ workspace: name }) => name);
        expect([...new Set([...planned, ...out])].sort()).toEqual(given.affected.workspaces.map(({ name }) => name).sort());
        expect(planned.filter((name) => out.includes(name))).toEqual([]);
      }),
    );
  });

  test('there are no more shards than wished for, none is empty, and their times add up', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { shards } = buildPlan(given);
        expect(shards.length).toBeLessThanOrEqual(given.shardRequest.maxShards);
        expect(shards.map(({ id }) => Number(id))).toEqual(shards.map((_, at) => at + 1));
        expect(shards.map(({ seconds }) => seconds)).toEqual(shards.map(({ seconds }) => seconds).toSorted((a, b) => b - a));
        for (const { pieces, seconds, builds } of shards) {
          expect(pieces.length).toBeGreaterThan(0);
          // Each value is rounded to a hundredth.
          expect(Math.abs(pieces.reduce((sum, piece) => sum + piece.seconds, builds) - seconds)).toBeLessThanOrEqual(
            0.01 * (pieces.length + 2),
          );
          for (const piece of pieces) expect(piece.seconds).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('the plan is the same in whatever order workspaces are read, and as it is written', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const plan = buildPlan(given);
        expect(buildPlan({ ...given, workspaces: given.workspaces.toReversed() })).toEqual(plan);
        expect(parsePlan(formatPlan(plan), 'plan.json')).toEqual(plan);
      }),
    );
  });
});
