import { describe, expect, test } from '@jest/globals';
import { affectedBy, planInput, workspaceOf } from './build-plan.fixture.js';
import { buildPlan } from './build-plan.js';
import { hashingOf } from './hashing.fixture.js';
import { namedFor } from './lost-tasks.js';
import { type Plan, pieceName } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { plansByTask, sumsOf, tasksOf } from './plans-by-task.js';
import { formatPlan, parsePlan, sealPlan } from './seal.js';

const SCRIPTS = { build: 'tsc', test: 'jest', lint: 'eslint .' };
const { lint: _, ...WITHOUT_LINT } = SCRIPTS;
const WORKSPACES = [workspaceOf('core', SCRIPTS), workspaceOf('ui', SCRIPTS, ['core']), workspaceOf('docs', WITHOUT_LINT)];
const TIMINGS = new Map([
  ['core#build', [20]],
  ['ui#build', [30]],
  ['docs#build', [5]],
  ['core#test', [10]],
  ['ui#test', [40]],
  ['docs#test', [1]],
  ['core#lint', [3]],
  ['ui#lint', [4]],
]);

function input(task: string, more: Partial<PlanInput> = {}): PlanInput {
  const turboTasks = new Map([
    ['test', ['build']],
    ['build', ['^build']],
    ['lint', []],
  ]);
  const hashing = hashingOf({ tasks: { build: {}, test: {}, lint: {} } });
  return planInput(WORKSPACES, { task, turboTasks, hashing, timings: TIMINGS, ...more });
}

function namesIn({ shards }: Plan): readonly (readonly string[])[] {
  return shards.map(({ pieces }) => pieces.map(pieceName));
}

/** One machine: tasks that others run after come first, whatever the order of the request. */
const ONE = buildPlan(input('test'), input('lint', { affected: affectedBy(['core']) }), input('build'));

describe('a plan of several tasks', () => {
  test('has the pieces of each by its own answer, and those that others run after first', () => {
    expect(namesIn(ONE).map((names) => names.map((name) => name.replace(/.*#/, '')))).toEqual([
      ['build', 'build', 'build', 'test', 'test', 'test', 'lint'],
    ]);
    expect(namesIn(ONE).flat().sort()).toEqual(
      ['core', 'docs', 'ui'].flatMap((name) => [`${name}#build`, ...(name === 'core' ? ['core#lint'] : []), `${name}#test`]),
    );
    expect(tasksOf(ONE).map(({ task, affected }) => [task, affected.workspaces.length])).toEqual([
      ['test', 3],
      ['lint', 1],
      ['build', 3],
    ]);
  });

  test('has none for a workspace that lacks a task, with the reason', () => {
    const plan = buildPlan(input('test'), input('lint'));
    expect(namesIn(plan).flat()).not.toContain('docs#lint');
    expect(tasksOf(plan).map(({ leftOut }) => leftOut)).toEqual([[], [{ workspace: 'docs', reason: 'It has no script "lint".' }]]);
  });

  test('trusts a cached result for each task by the hash of that task', () => {
    const affected = affectedBy(['ui'], [{ kind: 'dependency', path: ['ui', 'core'], because: { kind: 'file', file: 'x', others: 0 } }]);
    const plan = buildPlan(input('test', { affected }), input('lint', { affected }));
    expect(plan.shards[0]?.pieces.map(({ task, fresh }) => [task, fresh])).toEqual([
      ['test', false],
      ['lint', true],
    ]);
  });

  test('counts a build that is also a piece once on a machine, and shows its time', () => {
    // Builds of 55, tests of 51, a lint of 3.
    expect(ONE.shards[0]?.seconds).toBeCloseTo(55 + 51 + 3, 1);
    const seconds = new Map(ONE.shards[0]?.pieces.map((piece) => [pieceName(piece), piece.seconds]));
    expect([seconds.get('ui#build'), seconds.get('ui#test')]).toEqual([30, 40]);
    expect(sumsOf(ONE)).toEqual({ guessed: 0, everythingSeconds: 51 + 7 + 55 });
  });

  test('splits the tests of a workspace, and not what else it runs', () => {
    const listedFiles = new Map([['ui', 40]]);
    const files = { listedFiles, testFiles: listedFiles, fileTimes: new Map([['ui', [{ file: 'a.test.js', seconds: 40 }]]]) };
    const both = { shardRequest: { setupSeconds: 0, maxShards: 4, shards: 4 }, timings: new Map([...TIMINGS, ['ui#test', [1000]]]) };
    const plan = buildPlan(input('lint', both), input('test', { ...both, ...files }));
    expect(namesIn(plan).flat().sort()).toEqual([
      'core#lint',
      'core#test',
      'docs#test',
      'ui#lint',
      ...[1, 2, 3, 4].map((part) => `ui#test (${part} of 4)`),
    ]);
    expect(tasksOf(plan).map(({ fileTimes }) => fileTimes.map(({ workspace }) => workspace))).toEqual([[], ['ui']]);
    // Each part is on a machine of its own.
    expect(namesIn(plan).every((names) => names.filter((name) => name.startsWith('ui#test')).length === 1)).toBe(true);
  });

  test('is as good as a plan for each of them', () => {
    const alone = (task: string): Plan => buildPlan(input(task));
    for (const { plan, nameOf } of plansByTask(buildPlan(input('test'), input('lint')))) {
      const { hash: _hash, shards, ...own } = alone(plan.task);
      expect(plan).toMatchObject({ ...own, guessed: 0 });
      expect(plan.shards.flatMap(({ pieces }) => pieces.map(({ task: _task, ...piece }) => piece))).toEqual(
        shards.flatMap(({ pieces }) => pieces),
      );
      expect(nameOf('ui')).toBe(`ui#${plan.task}`);
    }
    const single = alone('test');
    expect(plansByTask(single).map(({ plan, nameOf }) => [plan, nameOf('ui')])).toEqual([[single, 'ui']]);
    expect(JSON.stringify(single)).not.toMatch(/"also"|"task":"test","part"/);
  });

  test.each<[named: readonly string[], tests: readonly string[], lint: readonly string[]]>([
    [['ui'], ['ui'], []],
    [['*'], ['*'], []],
    [['ui#lint', '@acme/core#test'], ['@acme/core'], ['ui']],
    [['*#lint'], [], ['*']],
  ])('takes %j on the command line as leave to lose tests, and a lint only by its name', (named, tests, lint) => {
    expect([namedFor('test', named), namedFor('lint', named)]).toEqual([tests, lint]);
  });

  test('rejects a task that turbo.json does not have, whichever it is', () => {
    expect(() => buildPlan(input('test'), input('lunt'))).toThrow(expect.objectContaining({ code: 'TASK_UNKNOWN' }));
  });
});

describe('the file of a plan of several tasks', () => {
  const { hash: _hash, ...open } = ONE;
  const [shard] = ONE.shards;
  const [first, ...rest] = shard?.pieces ?? [];
  const withFirst = (more: object): unknown => ({ ...open, shards: [{ ...shard, pieces: [{ ...first, ...more }, ...rest] }] });
  const [lint, build] = ONE.also ?? [];
  const otherHead = lint && { ...lint, affected: { ...lint.affected, head: 'b'.repeat(40) } };

  test('is read as it was written', () => expect(parsePlan(formatPlan(ONE), 'plan.json')).toEqual(ONE));

  test.each<[title: string, plan: unknown]>([
    ['a piece of a task that is none of its', withFirst({ task: 'e2e' })],
    ['a piece without a task', withFirst({ task: undefined })],
    ['a set of changes that another task has', withFirst({ changed: 99 })],
    ['further tasks that are none', { ...open, also: [] }],
    ['a task twice', { ...open, also: [lint, lint] }],
    ['a task of another commit', { ...open, also: [otherHead, build] }],
    ['a task with a workspace, which would be the name of another piece', { ...open, also: [{ ...lint, task: 'core#lint' }, build] }],
    ['only half of what it says of a task', { ...open, also: [{ task: 'lint' }, build] }],
    ['pieces with a task, though it has one', { ...open, also: undefined }],
  ])('is refused for %s', (_title, plan) => {
    const text = formatPlan(sealPlan(JSON.parse(JSON.stringify(plan)) as Plan));
    expect(() => parsePlan(text, 'plan.json')).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
  });
});
