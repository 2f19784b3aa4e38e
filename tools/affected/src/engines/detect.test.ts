import { describe, expect, test } from '@jest/globals';
import { parseObjectId } from '@tributary/model/ids';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import type { CiChange } from './ci-change.js';
import { A, read, unknown, ZERO } from './read-change.fixture.js';
import type { CiVariables } from './variables.js';

test('on no CI engine', () => {
  expect(read({})).toBeUndefined();
  expect(read({ CI: 'true', GITHUB_SHA: A, BUILDKITE_COMMIT: A, GIT_COMMIT: A, GITLAB_CI: '', JENKINS_URL: '' })).toBeUndefined();
});

describe('hostile input', () => {
  const hostile = [
    '-x',
    '--upload-pack=touch x',
    'a b',
    'a..b',
    '../x',
    'a\nb',
    'a\n::set-output name=x::y',
    '\u001b[31m',
    'a\0b',
    'x.lock',
    'HEAD',
    '@{-1}',
    'a:b',
    '*',
    '$(id)`id`',
    '/',
    'refs/heads/',
    'x'.repeat(100_000),
  ];
  const starts: readonly CiVariables[] = [
    ...['pull_request', 'pull_request_target', 'merge_group', 'push', 'schedule', 'toString'].map((name) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: name,
    })),
    ...['push', 'merge_request_event'].map((source) => ({ GITLAB_CI: 'true', CI_PIPELINE_SOURCE: source })),
    ...['webhook', 'ui'].map((source) => ({ BUILDKITE: 'true', BUILDKITE_SOURCE: source })),
    { CIRCLECI: 'true' },
    ...['PullRequest', 'BatchedCI'].map((reason) => ({ TF_BUILD: 'True', BUILD_REASON: reason })),
    { JENKINS_URL: 'x' },
  ];
  const names = [
    'GITHUB_REF',
    'GITHUB_SHA',
    'GITHUB_BASE_REF',
    'GITHUB_REPOSITORY',
    'GITHUB_WORKFLOW_REF',
    'GITHUB_EVENT_PATH',
    'GITHUB_API_URL',
    'CI_MERGE_REQUEST_IID',
    'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
    'CI_MERGE_REQUEST_TARGET_BRANCH_SHA',
    'CI_PROJECT_ID',
    'CI_MERGE_REQUEST_PROJECT_ID',
    'CI_COMMIT_BRANCH',
    'CI_DEFAULT_BRANCH',
    'CI_COMMIT_BEFORE_SHA',
    'CI_COMMIT_SHA',
    'CI_COMMIT_TAG',
    'CI_EXTERNAL_PULL_REQUEST_IID',
    'BUILDKITE_PULL_REQUEST',
    'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
    'BUILDKITE_BRANCH',
    'BUILDKITE_COMMIT',
    'BUILDKITE_MERGE_QUEUE_BASE_COMMIT',
    'BUILDKITE_MERGE_QUEUE_BASE_BRANCH',
    'CIRCLE_BRANCH',
    'CIRCLE_PULL_REQUEST',
    'CIRCLE_PR_NUMBER',
    'CIRCLE_SHA1',
    'AFFECTED_BASE_BRANCH',
    'AFFECTED_BASE_REVISION',
    'BUILD_SOURCEBRANCH',
    'BUILD_SOURCEVERSION',
    'SYSTEM_PULLREQUEST_TARGETBRANCH',
    'SYSTEM_PULLREQUEST_PULLREQUESTID',
    'CHANGE_ID',
    'CHANGE_TARGET',
    'BRANCH_NAME',
    'GIT_BRANCH',
    'GIT_COMMIT',
    'GIT_PREVIOUS_SUCCESSFUL_COMMIT',
  ];
  const values = fc.oneof(fc.constantFrom(...hostile, 'main', 'refs/heads/main', 'refs/pull/1/merge', '7', A, ZERO, ''), fc.string());
  const events = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({
        before: values,
        forced: values,
        merge_group: fc.record({ base_sha: values }),
        pull_request: fc.record({ number: values, head: fc.record({ sha: values }), base: fc.record({ ref: values }) }),
      })
      .map((event) => JSON.stringify(event)),
  );

  test('never throws, and hands on nothing but commits and names that git allows', () => {
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.dictionary(fc.constantFrom(...names), values), events, (start, more, event) => {
        const change = read({ ...more, ...start }, event);
        expect(change).toBeDefined();
        if (change !== undefined) expectClean(change);
      }),
      { numRuns: cases(3000) },
    );
  });

  test.each(hostile.map((name) => [JSON.stringify(name.slice(0, 40)), name] as const))('a target branch of %s', (_, name) => {
    const variables = {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REF: 'refs/pull/1/merge',
      GITHUB_SHA: A,
      GITHUB_BASE_REF: name,
    };
    const base = read(variables)?.base;
    // git takes these two, and no shell ever sees them.
    if (name === '$(id)`id`' || name.length === 100_000) expect(base?.kind).toBe('merge ref');
    else expect(base).toEqual(unknown('is not a branch name'));
  });

  function expectClean({ base, head, pullRequest }: CiChange): void {
    if (head !== null) parseObjectId(head);
    if (pullRequest !== null) expect(pullRequest).toBeGreaterThan(0);
    const commits = [base.kind === 'commit' && base.id, base.kind === 'push' && base.before, base.kind === 'merge ref' && base.mergeCommit];
    for (const id of commits) if (typeof id === 'string') expect(parseObjectId(id)).not.toBe(ZERO);
    const names = [base.kind === 'branch' && base.name, (base.kind === 'push' || base.kind === 'merge ref') && base.branch];
    for (const name of names) if (typeof name === 'string') expect(name).toMatch(/^(?!-)(?!.*\.\.)[^\0-\x20\x7f~^:?*[\\]+$/);
    if (base.kind === 'unknown') expect(base.reason).toMatch(/^[\x20-\x7e]{10,200}$/);
  }
});
