import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { checkOut, createOrigin, type Origin } from './github.fixture.js';
import { type Answer, ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let origin: Origin;

beforeAll(async () => {
  origin = createOrigin(await MonorepoScene.create(cleanUp));
});

type Variables = Readonly<Record<string, string>>;
type Checkout = 'topic' | 'merge' | 'main';
type Case = readonly [sentence: string, checkout: Checkout, variables: (one: Origin) => Variables, affected: Answer];

const ENGINES: Readonly<Record<string, readonly Case[]>> = {
  GitLab: [
    [
      'a merge request: since it left its target',
      'topic',
      () => ofMergeRequest({ CI_PROJECT_ID: '1', CI_MERGE_REQUEST_PROJECT_ID: '1' }),
      ['alone'],
    ],
    [
      'a merge request from a fork: since where GitLab says it left',
      'topic',
      ({ start }) => ofMergeRequest({ CI_PROJECT_ID: '2', CI_MERGE_REQUEST_PROJECT_ID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: start }),
      ['alone'],
    ],
    [
      'merged results: since what it was merged onto',
      'merge',
      ({ target }) => ofMergeRequest({ CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target }),
      ['alone'],
    ],
    ['a push: since the commit before it', 'main', ({ target }) => ofGitLabPush({ CI_COMMIT_BEFORE_SHA: target }), ['ring-a', 'ring-b']],
    [
      'the first push of the default branch affects everybody',
      'main',
      () => ofGitLabPush({ CI_COMMIT_BEFORE_SHA: '0'.repeat(40) }),
      'all: BASE_UNKNOWN',
    ],
    [
      'a push that took commits away affects everybody',
      'main',
      ({ topic }) => ofGitLabPush({ CI_COMMIT_BEFORE_SHA: topic }),
      'all: BASE_REWRITTEN',
    ],
    ['a push to another branch: since it left the default branch', 'topic', () => ofGitLabPush({ CI_COMMIT_BRANCH: 'topic' }), ['alone']],
    ['a schedule affects everybody', 'main', () => ({ ...ofGitLabPush({}), CI_PIPELINE_SOURCE: 'schedule' }), 'all: BASE_UNKNOWN'],
  ],
  Buildkite: [
    [
      'a pull request: since it left its target',
      'topic',
      () => ({ ...BUILDKITE, BUILDKITE_PULL_REQUEST: '1', BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main' }),
      ['alone'],
    ],
    ['a merge queue: since its base', 'merge', ({ target }) => ({ ...BUILDKITE, BUILDKITE_MERGE_QUEUE_BASE_COMMIT: target }), ['alone']],
    ['a push to a branch: since it left the default branch', 'topic', () => ({ ...BUILDKITE, BUILDKITE_BRANCH: 'topic' }), ['alone']],
    ['a push to the default branch affects everybody', 'main', () => ({ ...BUILDKITE, BUILDKITE_BRANCH: 'main' }), 'all: BASE_UNKNOWN'],
    [
      'a push with the base passed on: since it',
      'main',
      ({ target }) => ({ ...BUILDKITE, BUILDKITE_BRANCH: 'main', AFFECTED_BASE_REVISION: target }),
      ['ring-a', 'ring-b'],
    ],
  ],
  CircleCI: [
    [
      'with the target passed on: since it left it',
      'topic',
      () => ({ ...CIRCLE, CIRCLE_BRANCH: 'topic', AFFECTED_BASE_BRANCH: 'main' }),
      ['alone'],
    ],
    [
      'with the base passed on: since it',
      'main',
      ({ target }) => ({ ...CIRCLE, CIRCLE_BRANCH: 'main', AFFECTED_BASE_REVISION: target }),
      ['ring-a', 'ring-b'],
    ],
    ['without either everybody is affected', 'topic', () => ({ ...CIRCLE, CIRCLE_BRANCH: 'topic' }), 'all: BASE_UNKNOWN'],
  ],
  'Azure Pipelines': [
    ['a pull request: since the target that it is merged into', 'merge', ({ merge }) => ofAzurePullRequest(merge), ['alone']],
    ['a pull request whose branch is checked out: since it left its target', 'topic', ({ merge }) => ofAzurePullRequest(merge), ['alone']],
    [
      'a push affects everybody',
      'main',
      () => ({ TF_BUILD: 'True', BUILD_REASON: 'IndividualCI', BUILD_SOURCEBRANCH: 'refs/heads/main' }),
      'all: BASE_UNKNOWN',
    ],
  ],
  Jenkins: [
    ['a change: since it left its target', 'topic', () => ({ ...JENKINS, CHANGE_ID: '1', CHANGE_TARGET: 'main' }), ['alone']],
    [
      'a branch: since its last build that passed',
      'main',
      ({ target }) => ({ ...JENKINS, BRANCH_NAME: 'main', GIT_PREVIOUS_SUCCESSFUL_COMMIT: target }),
      ['ring-a', 'ring-b'],
    ],
    [
      'a branch that never passed affects everybody',
      'main',
      ({ target }) => ({ ...JENKINS, BRANCH_NAME: 'main', GIT_PREVIOUS_COMMIT: target }),
      'all: BASE_UNKNOWN',
    ],
  ],
};

describe.each(Object.entries(ENGINES))('%s', (_, cases) => {
  test.each(cases)('%s', async (__, checkout, variables, affected) => {
    for (const depth of [1, 0]) {
      const commit = { topic: origin.topic, merge: origin.merge, main: origin.repo.id('main') }[checkout];
      const ref = { topic: 'refs/heads/topic', merge: 'refs/pull/1/merge', main: 'refs/heads/main' }[checkout];
      const repo = checkOut(cleanUp, origin.repo, { commit, ref, depth });
      expect(await ask(repo, [], { env: { CI: 'true', ...variables(origin) } })).toEqual(affected);
    }
  });
});

function ofMergeRequest(more: Variables): Variables {
  return {
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '1',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    ...more,
  };
}

function ofGitLabPush(more: Variables): Variables {
  return { GITLAB_CI: 'true', CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main', ...more };
}

function ofAzurePullRequest(merge: string): Variables {
  const target = { SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main', SYSTEM_PULLREQUEST_PULLREQUESTID: '1' };
  return { TF_BUILD: 'True', BUILD_REASON: 'PullRequest', BUILD_SOURCEBRANCH: 'refs/pull/1/merge', BUILD_SOURCEVERSION: merge, ...target };
}

const BUILDKITE: Variables = {
  BUILDKITE: 'true',
  BUILDKITE_SOURCE: 'webhook',
  BUILDKITE_PULL_REQUEST: 'false',
  BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
};
const CIRCLE: Variables = { CIRCLECI: 'true' };
const JENKINS: Variables = { JENKINS_URL: 'https://jenkins.example.com/' };
