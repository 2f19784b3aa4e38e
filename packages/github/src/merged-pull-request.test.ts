import { describe, expect, test } from '@jest/globals';
import type { CheckedCommit, CheckRun, MergedPullRequest } from '@tributary/model/forge';
import { AnswerFields } from './answer-fields.js';
import { mergedPullRequestIn } from './merged-pull-request.js';
import { at, checkRun, commitId, commitNode, pullNode } from './testing/graphql-github.js';

const question = { what: 'the pull requests of acme/app', permission: 'pull-requests: read' };
const time = (minute: number): number => Date.parse(at(minute));
const [HEAD, MAIN] = [commitId(1, 'head'), commitId(1, 'main')];

function read(more: Readonly<Record<string, unknown>> = {}): MergedPullRequest {
  const pullRequest = mergedPullRequestIn(new AnswerFields(pullNode(1, more), question));
  if (pullRequest === undefined) throw new Error('it has no commit');
  return pullRequest;
}

/** Returns the checks of the commit on the branch. */
function checksOf(more: Readonly<Record<string, unknown>>): CheckedCommit {
  return read({ mergeCommit: { ...commitNode(MAIN, 16), ...more } }).merge;
}

test('what GitHub knows of a pull request, and no names of people', () => {
  const check = { name: 'test', trigger: 'change', attempt: 1, conclusion: 'success' };
  expect(read()).toEqual({
    url: 'https://github.example/acme/app/pull/1',
    author: 'person',
    createdAt: time(10),
    readyForReviewAt: undefined,
    approvedAt: time(14),
    mergedAt: time(16),
    updatedAt: time(17),
    method: 'squash',
    commits: 2,
    head: {
      commit: HEAD,
      committedAt: time(11),
      checks: [{ ...check, startedAt: time(11), completedAt: time(13) }],
      completeness: 'complete',
    },
    merge: {
      commit: MAIN,
      committedAt: time(16),
      checks: [{ ...check, startedAt: time(16), completedAt: time(18) }],
      completeness: 'complete',
    },
  });
});

describe('the approval', () => {
  const approval = (minute: number, oid: string | null = HEAD): unknown => ({
    submittedAt: at(minute),
    commit: oid === null ? null : { oid },
  });
  test.each<[string, unknown[], number | undefined]>([
    ['is the last one of what was merged', [approval(12), approval(13)], 13],
    ['of an older push does not count', [approval(12, commitId(9, 'head'))], undefined],
    ['after the merge does not count', [approval(13), approval(20)], 13],
    ['of a commit that is gone counts after the last commit', [approval(12, null)], 12],
    ['of a commit that is gone does not count before the last commit', [approval(10, null)], undefined],
    ['there is none', [], undefined],
  ])('%s', (_, nodes, minute) => {
    expect(read({ reviews: { nodes } }).approvedAt).toBe(minute === undefined ? undefined : time(minute));
  });
});

test.each([
  ['a person', { __typename: 'User', login: 'ada' }, 'person'],
  ['a deleted account', null, 'person'],
  ['somebody who is called Abbot', { __typename: 'User', login: 'abbot' }, 'person'],
  ['an app', { __typename: 'Bot', login: 'dependabot' }, 'bot'],
  ['an account for a machine', { __typename: 'User', login: 'acme-bot' }, 'bot'],
])('%s', (_, author, kind) => {
  expect(read({ author }).author).toBe(kind);
});

test('drafts: the last time before the merge that it was ready for review', () => {
  const nodes = [11, 12, 18].map((minute) => ({ createdAt: at(minute) }));
  expect(read({ timelineItems: { nodes } }).readyForReviewAt).toBe(time(12));
  expect(read({ timelineItems: { nodes }, isDraft: true }).readyForReviewAt).toBeUndefined();
});

describe('how it was merged', () => {
  const merge = commitNode(MAIN, 16);
  const head = commitNode(HEAD, 11);
  test.each([
    ['a commit with two parents', { ...merge, parents: { totalCount: 2 } }, 'merge'],
    ['one written anew at the merge', { ...merge, messageHeadline: 'Add (#1)' }, 'squash'],
    ['a squash of one commit under its own headline', merge, 'squash'],
    ['a copy with the time and the words of its author', { ...merge, authoredDate: head['authoredDate'] }, 'rebase'],
    ['the last commit itself', { ...head, parents: { totalCount: 2 } }, 'rebase'],
  ])('%s', (_, mergeCommit, method) => {
    expect(read({ mergeCommit }).method).toBe(method);
  });
});

describe('the checks of a commit', () => {
  const suite = (runs: unknown[], event = 'push', totalCount = runs.length): unknown => ({
    workflowRun: { event, workflow: { name: 'CI' } },
    checkRuns: { totalCount, nodes: runs },
  });
  const suites = (...nodes: unknown[]): Readonly<Record<string, unknown>> => ({ checkSuites: { totalCount: nodes.length, nodes } });
  const brief = ({ name, attempt, conclusion }: CheckRun): string => `${name} ${attempt} ${conclusion}`;

  test('run again they are attempts, each job by itself', () => {
    const runs = [checkRun('test', 20), checkRun('lint', 17), checkRun('test', 17, 'FAILURE')];
    const { checks } = checksOf(suites(suite(runs), suite([checkRun('test', 15)], 'merge_group')));
    // The first one belongs to the merge queue.
    expect(checks.map(brief)).toEqual(['test 1 success', 'lint 1 success', 'test 1 failure', 'test 2 success']);
  });

  test.each([
    ['push', 'change'],
    ['pull_request', 'change'],
    ['pull_request_target', 'change'],
    ['merge_group', 'change'],
    ['schedule', 'other'],
    ['workflow_dispatch', 'other'],
  ])('of the event %s are of a %s', (event, trigger) => {
    expect(checksOf(suites(suite([checkRun('test', 17)], event))).checks[0]?.trigger).toBe(trigger);
  });

  test('what is not over has no end, and what has not begun comes last', () => {
    const waiting = { name: 'deploy', startedAt: null, completedAt: null, conclusion: null };
    const { checks } = checksOf(suites(suite([waiting, checkRun('test', 17, null)])));
    expect(checks).toMatchObject([
      { name: 'test', startedAt: time(17), completedAt: undefined, conclusion: undefined },
      { name: 'deploy', startedAt: undefined },
    ]);
  });

  test('an app that ran nothing leaves nothing; one that is no workflow counts for the change', () => {
    const other = { workflowRun: null, checkRuns: { totalCount: 1, nodes: [checkRun('coverage', 17)] } };
    const { checks, completeness } = checksOf(suites({ workflowRun: null, checkRuns: { totalCount: 0, nodes: [] } }, other));
    expect(checks).toMatchObject([{ name: 'coverage', trigger: 'change' }]);
    expect(completeness).toBe('complete');
  });

  test.each([
    ['a suite', { checkSuites: { totalCount: 11, nodes: [suite([])] } }],
    ['a run', suites(suite([checkRun('test', 17)], 'push', 41))],
  ])('%s more than one answer holds is said', (_, more) => {
    expect(checksOf(more).completeness).toBe('cut');
  });

  test('statuses of other engines: when they ended', () => {
    const contexts = [
      { context: 'ci/jenkins', state: 'SUCCESS', createdAt: at(19) },
      { context: 'ci/slow', state: 'PENDING', createdAt: at(17) },
    ];
    expect(checksOf({ status: { contexts } }).checks).toMatchObject([
      { name: 'ci/jenkins', startedAt: undefined, completedAt: time(19), conclusion: 'success' },
      { name: 'ci/slow', completedAt: undefined, conclusion: undefined },
    ]);
  });

  test.each([
    ['SUCCESS', 'success'],
    ['NEUTRAL', 'success'],
    ['SKIPPED', 'skipped'],
    ['CANCELLED', 'cancelled'],
    ['STALE', 'cancelled'],
    ['FAILURE', 'failure'],
    ['TIMED_OUT', 'failure'],
    ['ACTION_REQUIRED', 'failure'],
    ['STARTUP_FAILURE', 'failure'],
  ])('%s is %s', (state, conclusion) => {
    expect(checksOf(suites(suite([checkRun('test', 17, state)]))).checks[0]?.conclusion).toBe(conclusion);
  });
});

test.each([
  ['a time without a zone', { mergedAt: '2026-01-05T00:16:00' }],
  ['no time', { mergedAt: null }],
  ['an address that is none', { url: 1 }],
  ['an id that is none', { mergeCommit: commitNode('HEAD', 16) }],
  ['a list that is none', { reviews: { nodes: null } }],
])('%s is no answer of GitHub', (_, more) => {
  expect(() => read(more)).toThrow(expect.objectContaining({ code: 'GITHUB_UNREACHABLE' }));
});
