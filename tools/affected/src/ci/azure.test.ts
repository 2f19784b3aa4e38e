import { describe, expect, test } from '@jest/globals';
import { A, B, branch, type Row, read, unknown } from './read-change.fixture.js';

describe('Azure Pipelines', () => {
  const azure = { TF_BUILD: 'True', BUILD_SOURCEVERSION: A };
  const onRequest = {
    BUILD_REASON: 'PullRequest',
    BUILD_SOURCEBRANCH: 'refs/pull/42/merge',
    SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/release/1',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '42',
  };
  const onPush = { BUILD_REASON: 'IndividualCI', BUILD_SOURCEBRANCH: 'refs/heads/main' };
  const merge = { kind: 'merge ref', mergeCommit: A, branch: 'release/1' };
  const push = { kind: 'push', branch: 'main', before: B, forced: 'unknown', source: 'AFFECTED_BASE_REVISION', workflow: null };

  test.each<Row>([
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
      (reason): Row => [
        `"${reason}"`,
        { ...onPush, BUILD_REASON: reason, AFFECTED_BASE_REVISION: B },
        { event: 'other', base: unknown('BUILD_REASON') },
      ],
    ),
  ])('%s', (_, more, expected) => {
    expect(read({ ...azure, ...more })).toMatchObject({ engine: 'Azure Pipelines', repository: null, ...(expected as object) });
  });
});
