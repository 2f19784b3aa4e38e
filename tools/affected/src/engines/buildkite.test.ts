import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { buildkite } from './buildkite.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, type ChangeRow, commit, read, unknown } from './read-change.fixture.js';

describe('Buildkite', () => {
  const always = {
    BUILDKITE: 'true',
    BUILDKITE_COMMIT: A,
    BUILDKITE_BRANCH: 'topic',
    BUILDKITE_PULL_REQUEST: 'false',
    BUILDKITE_SOURCE: 'webhook',
  };
  const onRequest = { ...always, BUILDKITE_PULL_REQUEST: '42', BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main' };
  const target = branch('main', 'BUILDKITE_PULL_REQUEST_BASE_BRANCH');
  const queue = { BUILDKITE_MERGE_QUEUE_BASE_BRANCH: 'main', BUILDKITE_MERGE_QUEUE_BASE_COMMIT: B };
  const pushTo = (name: string): unknown => ({
    kind: 'push',
    branch: name,
    before: B,
    forced: 'unknown',
    source: 'AFFECTED_BASE_REVISION',
    workflow: null,
  });

  test.each<ChangeRow>([
    ['a pull request', onRequest, { event: 'pull request', base: target, head: A, pullRequest: 42 }],
    ['the test merge of one', { ...onRequest, BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC: 'true' }, { base: target, head: null }],
    [
      'one without a target',
      { ...onRequest, BUILDKITE_PULL_REQUEST_BASE_BRANCH: '' },
      { event: 'pull request', base: unknown('is not set') },
    ],
    ['a merge queue', queue, { event: 'merge queue', base: commit(B, 'BUILDKITE_MERGE_QUEUE_BASE_COMMIT'), head: A, pullRequest: null }],
    [
      'a merge queue without a commit',
      { ...queue, BUILDKITE_MERGE_QUEUE_BASE_COMMIT: '' },
      { event: 'merge queue', base: branch('main', 'BUILDKITE_MERGE_QUEUE_BASE_BRANCH') },
    ],
    ['a push', {}, { event: 'push', base: unknown('AFFECTED_BASE_REVISION') }],
    [
      'a push to a topic',
      { BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main' },
      { event: 'push', base: branch('main', 'BUILDKITE_PIPELINE_DEFAULT_BRANCH') },
    ],
    [
      'a push to the default branch',
      { BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'topic' },
      { event: 'push', base: unknown('AFFECTED_BASE_REVISION') },
    ],
    [
      'a push whose past is passed on',
      { BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'topic', AFFECTED_BASE_REVISION: B },
      { event: 'push', base: pushTo('topic') },
    ],
    [
      'a push whose target is passed on',
      { AFFECTED_BASE_BRANCH: 'main', AFFECTED_BASE_REVISION: B },
      { event: 'push', base: branch('main', 'AFFECTED_BASE_BRANCH') },
    ],
    ['the word HEAD', { ...onRequest, BUILDKITE_COMMIT: 'HEAD' }, { base: target, head: null }],
    ['a tag', { BUILDKITE_TAG: 'v1' }, { base: unknown('tag') }],
    ['a schedule', { BUILDKITE_SOURCE: 'schedule', AFFECTED_BASE_REVISION: B }, { event: 'other', base: unknown('BUILDKITE_SOURCE') }],
  ])('%s', (_, more, expected) => {
    expect(read({ ...always, ...more })).toMatchObject({ engine: 'buildkite', repository: null, ...(expected as object) });
  });
});

interface Step {
  readonly key?: string;
  readonly command?: string;
  readonly env?: { readonly LEG: string; readonly SHARDS: string };
  readonly artifact_paths?: string;
  readonly soft_fail?: boolean;
  readonly wait?: null;
  readonly continue_on_failure?: boolean;
}

function stepsOf(text: string): readonly Step[] {
  return JSON.parse(text).steps;
}

function shardsIn(text: string): readonly Step[] {
  return stepsOf(text).filter(({ key }) => key?.startsWith('shard-'));
}

test('an empty plan is the gate alone', () => {
  expect(stepsOf(buildkite.emit(planOf([]))).map(({ key }) => key)).toEqual(['gate']);
});

test('one shard is a step, a wait and the gate', () => {
  expect(stepsOf(buildkite.emit(planOf([10]))).map(({ key }) => key)).toEqual(['shard-01', undefined, 'gate']);
});

test('the gate runs whatever became of the shards', () => {
  expect(stepsOf(buildkite.emit(sameTime(7))).slice(-2)).toEqual([
    { wait: null, continue_on_failure: true },
    { label: 'gate', key: 'gate', command: 'sh .buildkite/affected.sh gate', soft_fail: false },
  ]);
});

test('no failure is a soft one', () => {
  const commands = stepsOf(buildkite.emit(sameTime(7))).filter(({ command }) => command !== undefined);
  expect(commands.map((step) => step.soft_fail)).toEqual(Array.from({ length: 8 }, () => false));
});

test('each leg keeps its receipts in a folder of its own', () => {
  expect(shardsIn(buildkite.emit(sameTime(2))).map((step) => step.artifact_paths)).toEqual([
    '.tributary/receipts/01/*.json',
    '.tributary/receipts/02/*.json',
  ]);
});

test('the longest leg stands first', () => {
  expect(shardsIn(buildkite.emit(planOf([10, 30, 20]))).map(({ key }) => key)).toEqual(['shard-02', 'shard-03', 'shard-01']);
});

test('no name of a package is handed on', () => {
  expect(buildkite.emit(sameTime(7))).not.toContain('acme');
});

// The agent replaces everything that looks like a variable when it uploads.
test('the queue is the only variable', () => {
  expect(buildkite.emit(sameTime(451)).match(/\$\{?\w+/g)).toEqual(['${AFFECTED_QUEUE', '${BUILDKITE_AGENT_META_DATA_QUEUE']);
});

describe.each([1, 7, 449, 450])('%i shards', (count) => {
  test('have a step each', () => {
    const legs = shardsIn(buildkite.emit(sameTime(count))).map(({ env }) => env);
    expect(legs).toHaveLength(count);
    expect(legs.filter((env) => env?.LEG !== env?.SHARDS)).toEqual([]);
  });
});

describe.each([451, 900, 1_234, 4_000])('%i shards, which are too many for one upload', (count) => {
  const plan = sameTime(count);
  const text = buildkite.emit(plan);

  test('are put together in 450 steps', () => expect(shardsIn(text)).toHaveLength(450));

  test('are all there once', () => {
    const ids = shardsIn(text).flatMap(({ env }) => env?.SHARDS.split(' ') ?? []);
    expect(ids.sort()).toEqual([...idsOf(plan)].sort());
  });

  test('are fewer than the 500 jobs that an upload may have', () => expect(stepsOf(text).length).toBeLessThanOrEqual(500));

  test('have keys that are there once', () => {
    const keys = stepsOf(text).flatMap(({ key }) => key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the templates of ci/buildkite', () => {
  const folder = join(findProjectRoot(), 'ci/buildkite');
  const script = readFileSync(join(folder, 'affected.sh'), 'utf8');

  test('have what the steps call', () => {
    const commands = stepsOf(buildkite.emit(sameTime(1))).flatMap(({ command }) => command ?? []);
    expect(commands).toEqual(['sh .buildkite/affected.sh shard', 'sh .buildkite/affected.sh gate']);
    expect(existsSync(join(folder, 'pipeline.yml'))).toBe(true);
    const all = ['  plan) make_plan ;;', '  shard) run_shard ;;', '  gate) judge ;;', '  all) run_all ;;'];
    expect(script.match(/^ {2}\w+\) \w+ ;;$/gm)).toEqual(all);
  });
});
