import { describe, expect, test } from '@jest/globals';
import { A, B, branch, commit, type Row, read, unknown } from './read-change.fixture.js';

describe('Buildkite', () => {
  const buildkite = {
    BUILDKITE: 'true',
    BUILDKITE_COMMIT: A,
    BUILDKITE_BRANCH: 'topic',
    BUILDKITE_PULL_REQUEST: 'false',
    BUILDKITE_SOURCE: 'webhook',
  };
  const onRequest = { ...buildkite, BUILDKITE_PULL_REQUEST: '42', BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main' };
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

  test.each<Row>([
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
    expect(read({ ...buildkite, ...more })).toMatchObject({ engine: 'Buildkite', repository: null, ...(expected as object) });
  });
});
