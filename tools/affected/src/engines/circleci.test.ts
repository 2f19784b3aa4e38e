import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { circleci } from './circleci.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, type ChangeRow, read, unknown, ZERO } from './read-change.fixture.js';

describe('CircleCI', () => {
  const always = { CIRCLECI: 'true', CIRCLE_SHA1: A, CIRCLE_BRANCH: 'topic' };
  const address = 'https://github.com/acme/app/pull/42';
  const push = { kind: 'push', branch: 'topic', before: B, forced: 'unknown', source: 'AFFECTED_BASE_REVISION', workflow: null };
  const target = branch('main', 'AFFECTED_BASE_BRANCH');

  test.each<ChangeRow>([
    ['nothing is passed on', {}, { event: 'other', base: unknown('AFFECTED_BASE_BRANCH or AFFECTED_BASE_REVISION'), pullRequest: null }],
    ['the target', { AFFECTED_BASE_BRANCH: 'main', AFFECTED_BASE_REVISION: B }, { event: 'pull request', base: target, head: A }],
    ['the target is the branch itself', { AFFECTED_BASE_BRANCH: 'topic', AFFECTED_BASE_REVISION: B }, { event: 'push', base: push }],
    ['the previous pipeline', { AFFECTED_BASE_REVISION: B, AFFECTED_BASE_BRANCH: '' }, { event: 'push', base: push }],
    ['the first pipeline of a branch', { AFFECTED_BASE_REVISION: '' }, { base: unknown('AFFECTED_BASE_REVISION') }],
    ['zeros', { AFFECTED_BASE_REVISION: ZERO }, { base: { ...push, before: null } }],
    [
      'a pull request and its target',
      { CIRCLE_PULL_REQUEST: address, AFFECTED_BASE_BRANCH: 'main' },
      { event: 'pull request', base: target, pullRequest: 42 },
    ],
    [
      'a pull request and the previous push, which may have failed',
      { CIRCLE_PULL_REQUEST: address, AFFECTED_BASE_REVISION: B },
      { event: 'pull request', base: unknown('AFFECTED_BASE_BRANCH') },
    ],
    [
      'several pull requests',
      { CIRCLE_PULL_REQUESTS: `${address},${address}1`, AFFECTED_BASE_BRANCH: 'main' },
      { base: target, pullRequest: 42 },
    ],
    ['one of a fork', { CIRCLE_PR_NUMBER: '7', CIRCLE_BRANCH: 'pull/7', AFFECTED_BASE_BRANCH: 'main' }, { base: target, pullRequest: 7 }],
    [
      'an address without a number',
      { CIRCLE_PULL_REQUEST: 'x' },
      { event: 'pull request', base: unknown('AFFECTED_BASE_BRANCH'), pullRequest: null },
    ],
    [
      'a target that is an option',
      { AFFECTED_BASE_BRANCH: '-x', AFFECTED_BASE_REVISION: B },
      { base: unknown('AFFECTED_BASE_BRANCH is not a branch name') },
    ],
    ['a tag', { CIRCLE_TAG: 'v1', AFFECTED_BASE_BRANCH: 'main' }, { base: unknown('tag') }],
  ])('%s', (_, more, expected) => {
    expect(read({ ...always, ...more })).toMatchObject({ engine: 'circleci', repository: null, ...(expected as object) });
  });
});

interface Configuration {
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly workflows: { readonly affected: { readonly jobs: readonly (string | Readonly<Record<string, Invocation>>)[] } };
}

interface Invocation {
  readonly name: string;
  readonly shards: string;
  readonly requires: readonly Readonly<Record<string, string>>[];
}

function readJobs(text: string): {
  readonly shards: readonly Invocation[];
  readonly gate: Invocation | undefined;
  readonly configuration: Configuration;
} {
  const configuration = parse(text) as Configuration;
  const jobs = configuration.workflows.affected.jobs.filter((job) => typeof job !== 'string');
  return { configuration, shards: jobs.flatMap(({ shard }) => shard ?? []), gate: jobs.find(({ gate }) => gate !== undefined)?.['gate'] };
}

describe('an empty plan', () => {
  const text = circleci.emit(planOf([]));

  test('leaves the gate alone', () => {
    const { configuration } = readJobs(text);
    expect(Object.keys(configuration.jobs)).toEqual(['gate']);
    expect(configuration.workflows.affected.jobs).toEqual(['gate']);
  });

  test('has a gate that asks no workspace, because nobody put anything into one', () => {
    expect(text).not.toContain('attach_workspace');
    expect(circleci.emit(planOf([10]))).toContain('attach_workspace');
  });
});

test('the longest leg stands first, and each has the number of its first shard as its name', () => {
  expect(readJobs(circleci.emit(planOf([10, 30, 20]))).shards).toEqual([
    { name: 'shard-02', shards: '02' },
    { name: 'shard-03', shards: '03' },
    { name: 'shard-01', shards: '01' },
  ]);
});

test('no name of a package is written down', () => expect(circleci.emit(sameTime(7))).not.toContain('acme'));

test('a step that fails stands after the one that keeps the receipts', () => {
  const { shard } = parse(circleci.emit(sameTime(1))).jobs;
  const names = shard.steps.map((step: unknown) => (typeof step === 'string' ? step : Object.keys(step as object)[0]));
  expect(names).toEqual(['checkout', 'restore_cache', 'restore_cache', 'run', 'save_cache', 'run', 'persist_to_workspace', 'run']);
  expect(shard.steps.at(-1).run.command).toBe('test -e ~/affected/passed');
});

describe.each([1, 7, 999, 1_000, 1_001, 2_500])('%i shards', (count) => {
  const plan = sameTime(count);
  const { shards, gate } = readJobs(circleci.emit(plan));

  test('are a thousand jobs at the most', () => expect(shards).toHaveLength(Math.min(count, 1_000)));

  test('are all there once', () => expect(shards.flatMap((one) => one.shards.split(' ')).sort()).toEqual([...idsOf(plan)].sort()));

  test('are all waited for, however they end', () => {
    expect(gate?.requires).toEqual(shards.map(({ name }) => ({ [name]: 'terminal' })));
  });
});

test('a thousand jobs with their steps written out stay below the 4 MB of older servers', () => {
  const { configuration, shards } = readJobs(circleci.emit(sameTime(1_001)));
  const jobs = Object.fromEntries(shards.map(({ name }) => [name, configuration.jobs['shard']]));
  const compiled = JSON.stringify({ ...configuration, jobs: { ...jobs, gate: configuration.jobs['gate'] } }, undefined, 2);
  expect(compiled.length).toBeGreaterThan(1_000_000);
  expect(compiled.length).toBeLessThan(4_000_000);
});
