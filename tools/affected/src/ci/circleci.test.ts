import { describe, expect, test } from '@jest/globals';
import { A, B, branch, type Row, read, unknown, ZERO } from './read-change.fixture.js';

describe('CircleCI', () => {
  const circle = { CIRCLECI: 'true', CIRCLE_SHA1: A, CIRCLE_BRANCH: 'topic' };
  const address = 'https://github.com/acme/app/pull/42';
  const push = { kind: 'push', branch: 'topic', before: B, forced: 'unknown', source: 'AFFECTED_BASE_REVISION', workflow: null };
  const target = branch('main', 'AFFECTED_BASE_BRANCH');

  test.each<Row>([
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
      { base: unknown('AFFECTED_BASE_BRANCH holds') },
    ],
    ['a tag', { CIRCLE_TAG: 'v1', AFFECTED_BASE_BRANCH: 'main' }, { base: unknown('tag') }],
  ])('%s', (_, more, expected) => {
    expect(read({ ...circle, ...more })).toMatchObject({ engine: 'CircleCI', repository: null, ...(expected as object) });
  });
});
