import { describe, expect, test } from '@jest/globals';
import { azure } from './azure.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, type ChangeRow, read, unknown } from './read-change.fixture.js';

describe('Azure Pipelines', () => {
  const always = { TF_BUILD: 'True', BUILD_SOURCEVERSION: A };
  const onRequest = {
    BUILD_REASON: 'PullRequest',
    BUILD_SOURCEBRANCH: 'refs/pull/42/merge',
    SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/release/1',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '42',
  };
  const onPush = { BUILD_REASON: 'IndividualCI', BUILD_SOURCEBRANCH: 'refs/heads/main' };
  const merge = { kind: 'merge ref', mergeCommit: A, branch: 'release/1' };
  const push = { kind: 'push', branch: 'main', before: B, forced: 'unknown', source: 'AFFECTED_BASE_REVISION', workflow: null };

  test.each<ChangeRow>([
    ['a pull request', onRequest, { event: 'pull request', base: merge, head: A, pullRequest: 42 }],
    [
      'one on GitHub',
      {
        ...onRequest,
        SYSTEM_PULLREQUEST_TARGETBRANCH: 'release/1',
        SYSTEM_PULLREQUEST_PULLREQUESTID: '999',
        SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '42',
      },
      { base: merge, pullRequest: 42 },
    ],
    [
      'one that is not merged',
      { ...onRequest, BUILD_SOURCEBRANCH: 'refs/heads/topic' },
      { base: branch('release/1', 'SYSTEM_PULLREQUEST_TARGETBRANCH') },
    ],
    ['one without a target', { ...onRequest, SYSTEM_PULLREQUEST_TARGETBRANCH: '' }, { base: unknown('is not set') }],
    ['a push', onPush, { event: 'push', base: unknown('AFFECTED_BASE_REVISION') }],
    ['several pushes at once', { ...onPush, BUILD_REASON: 'BatchedCI', AFFECTED_BASE_REVISION: B }, { event: 'push', base: push }],
    [
      'a push whose target is passed on',
      { ...onPush, BUILD_SOURCEBRANCH: 'refs/heads/topic', AFFECTED_BASE_BRANCH: 'main' },
      { event: 'push', base: branch('main', 'AFFECTED_BASE_BRANCH') },
    ],
    ['a tag', { ...onPush, BUILD_SOURCEBRANCH: 'refs/tags/v1' }, { base: unknown('tag') }],
    ['no branch', { ...onPush, BUILD_SOURCEBRANCH: '$/Main' }, { base: unknown('BUILD_SOURCEBRANCH') }],
    ...['Manual', 'Schedule', 'ResourceTrigger', ''].map(
      (reason): ChangeRow => [
        `"${reason}"`,
        { ...onPush, BUILD_REASON: reason, AFFECTED_BASE_REVISION: B },
        { event: 'other', base: unknown('BUILD_REASON') },
      ],
    ),
  ])('%s', (_, more, expected) => {
    expect(read({ ...always, ...more })).toMatchObject({ engine: 'azure', repository: null, ...(expected as object) });
  });
});

const COMMAND = /^##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)$/;

/** Reads outputs as the agent does: one per line, and no other line may be there. */
function outputsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, name, value] = COMMAND.exec(line) ?? [];
        if (name === undefined || value === undefined) throw new Error(`not a command: ${line}`);
        return [name, value];
      }),
  );
}

type Legs = Readonly<Record<string, { readonly LEG: string; readonly SHARDS: string }>>;

function legsOf(text: string): Legs {
  return JSON.parse(outputsOf(text)['legs'] ?? '');
}

test('an empty plan has no work and no legs', () => {
  expect(outputsOf(azure.emit(planOf([])))).toEqual({ hasWork: 'false', legs: '{}' });
});

test('one shard is one leg', () => {
  expect(outputsOf(azure.emit(planOf([10])))).toEqual({ hasWork: 'true', legs: '{"leg_01":{"LEG":"01","SHARDS":"01"}}' });
});

test('the longest leg stands first', () => {
  expect(Object.keys(legsOf(azure.emit(planOf([10, 30, 20]))))).toEqual(['leg_02', 'leg_03', 'leg_01']);
});

test('no name of a package is handed on', () => expect(azure.emit(sameTime(7))).not.toContain('acme'));

describe.each([
  [1, 1],
  [7, 7],
  [253, 253],
  [254, 254],
  [255, 254],
  [1_000, 254],
  [6_000, undefined],
])('%i shards', (count, expected) => {
  const plan = sameTime(count);
  const legs = legsOf(azure.emit(plan));

  test('are no more jobs than a stage may have, next to the plan and the gate', () => {
    if (expected === undefined) expect(Object.keys(legs).length).toBeLessThan(254);
    else expect(Object.keys(legs)).toHaveLength(expected);
  });

  test('are all there once', () => {
    expect(
      Object.values(legs)
        .flatMap(({ SHARDS }) => SHARDS.split(' '))
        .sort(),
    ).toEqual([...idsOf(plan)].sort());
  });

  test('have names that Azure Pipelines takes', () => {
    for (const name of Object.keys(legs)) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,99}$/);
  });

  test('are a value that fits into a variable', () => {
    expect(outputsOf(azure.emit(plan))['legs']?.length).toBeLessThanOrEqual(32_766);
  });
});

test('more shards than a variable can name are refused', () => {
  expect(() => azure.emit(sameTime(10_000))).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
});
