import { describe, expect, test } from '@jest/globals';
import { jenkins } from './jenkins.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, C, type ChangeRow, read, unknown } from './read-change.fixture.js';

describe('Jenkins', () => {
  const always = { JENKINS_URL: 'https://ci.example/', GIT_COMMIT: A };
  const passed = { GIT_PREVIOUS_SUCCESSFUL_COMMIT: B, GIT_PREVIOUS_COMMIT: C };
  const push = { kind: 'push', branch: 'main', before: B, forced: 'unknown', source: 'GIT_PREVIOUS_SUCCESSFUL_COMMIT', workflow: null };
  const never = unknown('no build of this branch has passed yet');

  test.each<ChangeRow>([
    [
      'a pull request',
      { CHANGE_ID: '42', CHANGE_TARGET: 'main', BRANCH_NAME: 'PR-42', ...passed },
      { event: 'pull request', base: branch('main', 'CHANGE_TARGET'), head: A, pullRequest: 42 },
    ],
    [
      'one without a target',
      { CHANGE_ID: '42', BRANCH_NAME: 'PR-42', ...passed },
      { event: 'pull request', base: unknown('CHANGE_TARGET is not set') },
    ],
    ['the last commit that passed', { BRANCH_NAME: 'main', ...passed }, { event: 'push', base: push, pullRequest: null }],
    ['a single-branch project', { GIT_BRANCH: 'origin/main', ...passed }, { event: 'push', base: push }],
    ['a detached one', { GIT_BRANCH: 'refs/remotes/origin/main', ...passed }, { event: 'push', base: push }],
    ['nothing has passed, though something was built', { BRANCH_NAME: 'main', GIT_PREVIOUS_COMMIT: C }, { base: never }],
    ['the word null', { BRANCH_NAME: 'main', GIT_PREVIOUS_SUCCESSFUL_COMMIT: 'null' }, { base: never }],
    [
      'a target that is passed on',
      { BRANCH_NAME: 'topic', AFFECTED_BASE_BRANCH: 'main' },
      { event: 'push', base: branch('main', 'AFFECTED_BASE_BRANCH') },
    ],
    ['a tag', { BRANCH_NAME: 'v1', TAG_NAME: 'v1', ...passed }, { base: unknown('tag') }],
    ['no branch', passed, { base: unknown('BRANCH_NAME') }],
  ])('%s', (_, more, expected) => {
    expect(read({ ...always, ...more })).toMatchObject({ engine: 'jenkins', repository: null, ...(expected as object) });
  });

  test('is known by the tag of its build where its address is not configured', () => {
    expect(read({ BUILD_TAG: 'jenkins-app-7' })?.engine).toBe('jenkins');
    expect(read({ BUILD_TAG: 'v7' })).toBeUndefined();
  });

  test('is asked last: its agent may run in another engine', () => {
    expect(read({ ...always, BUILDKITE: 'true' })?.engine).toBe('buildkite');
  });
});

const LINE = /^ {4}'([\d ]+)',$/;

function legsOf(text: string): readonly string[] {
  const lines = text.split('\n').slice(2, -2);
  return lines.map((line) => LINE.exec(line)?.[1] ?? `not a leg: ${line}`);
}

test('an empty plan is an empty list', () => {
  expect(jenkins.emit(planOf([]))).toBe('/* Written by affected: the shards of each machine, the longest first. */\nreturn []\n');
});

test('each leg is a line, the longest first', () => {
  expect(jenkins.emit(planOf([10, 30]))).toBe(
    "/* Written by affected: the shards of each machine, the longest first. */\nreturn [\n    '02',\n    '01',\n]\n",
  );
});

test('no name of a package is written down', () => expect(jenkins.emit(sameTime(7))).not.toContain('acme'));

describe.each([1, 7, 249, 250, 251, 600])('%i shards', (count) => {
  const legs = legsOf(jenkins.emit(sameTime(count)));

  test('are no longer list than a Pipeline may have', () => expect(legs).toHaveLength(Math.min(count, 250)));

  test('are all there once', () => expect(legs.flatMap((leg) => leg.split(' ')).sort()).toEqual([...idsOf(sameTime(count))].sort()));
});
