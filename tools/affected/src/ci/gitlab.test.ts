import { describe, expect, test } from '@jest/globals';
import { A, B, branch, C, commit, type Row, read, unknown, ZERO } from './read-change.fixture.js';

describe('GitLab', () => {
  const gitlab = { GITLAB_CI: 'true', CI_COMMIT_SHA: A, CI_PROJECT_ID: '1', CI_DEFAULT_BRANCH: 'main' };
  const onRequest = {
    ...gitlab,
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_COMMIT_BEFORE_SHA: ZERO,
    CI_MERGE_REQUEST_IID: '42',
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_PROJECT_ID: '1',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'next',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: B,
  };
  const target = commit(C, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA');
  const merged = { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: C };

  test.each<Row>([
    ['its target branch', {}, { event: 'pull request', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') }],
    ['merged results', { ...merged, CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result' }, { event: 'pull request', base: target }],
    ['a merge train', { ...merged, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' }, { event: 'merge queue', base: target }],
    [
      'a merge train that does not say onto what',
      { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' },
      { event: 'merge queue', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') },
    ],
    [
      'a child pipeline',
      { CI_PIPELINE_SOURCE: 'parent_pipeline' },
      { event: 'pull request', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') },
    ],
    [
      'in a fork, whose branches are others',
      { CI_PROJECT_ID: '2' },
      { event: 'pull request', base: commit(B, 'CI_MERGE_REQUEST_DIFF_BASE_SHA') },
    ],
    [
      'in a fork, without the base of the diff',
      { CI_PROJECT_ID: '2', CI_MERGE_REQUEST_DIFF_BASE_SHA: '' },
      { base: unknown('CI_MERGE_REQUEST_DIFF_BASE_SHA') },
    ],
    ['a target that is an option', { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: '-x' }, { base: unknown('CI_MERGE_REQUEST_TARGET_BRANCH_NAME') }],
  ])('merge request: %s', (_, more, expected) => {
    expect(read({ ...onRequest, ...more })).toMatchObject({
      engine: 'GitLab',
      head: A,
      pullRequest: 42,
      repository: null,
      ...(expected as object),
    });
  });

  const onPush = { ...gitlab, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: B };
  const push = { kind: 'push', branch: 'main', before: B, forced: 'unknown', source: 'CI_COMMIT_BEFORE_SHA', workflow: null };
  test.each<Row>([
    ['to the default branch', {}, { event: 'push', base: push }],
    ['the first of a branch', { CI_COMMIT_BEFORE_SHA: ZERO }, { event: 'push', base: { ...push, before: null } }],
    [
      'to another branch: all it has of its own, not the last push',
      { CI_COMMIT_BRANCH: 'topic' },
      { event: 'push', base: branch('main', 'CI_DEFAULT_BRANCH') },
    ],
    [
      'where no default branch is known',
      { CI_COMMIT_BRANCH: 'topic', CI_DEFAULT_BRANCH: '' },
      { event: 'push', base: { ...push, branch: 'topic' } },
    ],
    ['in a child pipeline', { CI_PIPELINE_SOURCE: 'parent_pipeline' }, { event: 'push', base: push }],
    ['a tag', { CI_COMMIT_BRANCH: '', CI_COMMIT_TAG: 'v1' }, { event: 'push', base: unknown('tag') }],
    ['no branch', { CI_COMMIT_BRANCH: 'a..b' }, { event: 'push', base: unknown('CI_COMMIT_BRANCH') }],
    ...['web', 'schedule', 'api', 'trigger', 'pipeline', ''].map(
      (source): Row => [`not a push: "${source}"`, { CI_PIPELINE_SOURCE: source }, { event: 'other', base: unknown('CI_PIPELINE_SOURCE') }],
    ),
  ])('push: %s', (_, more, expected) => {
    expect(read({ ...onPush, ...more })).toMatchObject({ pullRequest: null, ...(expected as object) });
  });

  test('a pull request on GitHub of a mirror', () => {
    const variables = { ...gitlab, CI_PIPELINE_SOURCE: 'external_pull_request_event', CI_EXTERNAL_PULL_REQUEST_IID: '7' };
    expect(read({ ...variables, CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME: 'main' })).toMatchObject({
      event: 'pull request',
      base: branch('main', 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME'),
      pullRequest: 7,
    });
    expect(read(variables)?.base).toEqual(unknown('is not set'));
  });
});
