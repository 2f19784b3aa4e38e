import { describe, expect, test } from '@jest/globals';
import type { CheckedCommit, CheckRun, MergedPullRequest } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import { pullTimesOf } from './pull-times.js';

const [HEAD, MAIN] = ['a'.repeat(40), 'b'.repeat(40)] as [CommitId, CommitId];
const at = (minute: number): Instant => (Date.UTC(2026, 0, 5) + minute * 60_000) as Instant;

function check(name: string, [from, to]: readonly [number | undefined, number | undefined], more: Partial<CheckRun> = {}): CheckRun {
  const startedAt = from === undefined ? undefined : at(from);
  const completedAt = to === undefined ? undefined : at(to);
  const conclusion = to === undefined ? undefined : 'success';
  return { name, trigger: 'change', attempt: 1, startedAt, completedAt, conclusion, ...more };
}

function commit(id: CommitId, minute: number, checks: readonly CheckRun[]): CheckedCommit {
  return { commit: id, committedAt: at(minute), checks, completeness: 'complete' };
}

/** A pull request that was created at 10, pushed at 11, approved at 14, and merged at 16. */
function facts(more: Partial<MergedPullRequest> = {}): MergedPullRequest {
  return {
    url: 'https://github.example/acme/app/pull/1',
    author: 'person',
    createdAt: at(10),
    readyForReviewAt: undefined,
    approvedAt: at(14),
    mergedAt: at(16),
    updatedAt: at(17),
    method: 'squash',
    commits: 3,
    head: commit(HEAD, 11, [check('test', [11, 13])]),
    merge: commit(MAIN, 16, [check('test', [16, 19])]),
    ...more,
  };
}

test('the times of a pull request', () => {
  const tests = { attempt: 1, outcome: 'success', confidence: 'exact' };
  expect(pullTimesOf(facts())).toEqual({
    url: 'https://github.example/acme/app/pull/1',
    author: 'person',
    commit: MAIN,
    commits: 1,
    openedAt: at(10),
    readyAt: at(14),
    readiness: 'exact',
    mergedAt: at(16),
    prTests: [{ ...tests, startedAt: at(11), endedAt: at(13) }],
    postMergeTests: [{ ...tests, startedAt: at(16), endedAt: at(19) }],
  });
});

test('what is kept survives JSON', () => {
  expect(JSON.parse(JSON.stringify(pullTimesOf(facts())))).toEqual(pullTimesOf(facts()));
});

test.each<[string, Partial<MergedPullRequest>, number, string]>([
  ['from the approval', {}, 14, 'exact'],
  ['not while it is a draft', { readyForReviewAt: at(15) }, 15, 'exact'],
  ['without an approval from the last push', { approvedAt: undefined }, 11, 'derived'],
  ['without an approval, pushed before it was opened', { approvedAt: undefined, head: commit(HEAD, 5, []) }, 10, 'derived'],
  [
    'and at the merge at the latest, whatever the clock of a machine said',
    { approvedAt: undefined, head: commit(HEAD, 99, []) },
    16,
    'derived',
  ],
])('ready: %s', (_, more, minute, readiness) => {
  expect(pullTimesOf(facts(more))).toMatchObject({ readyAt: at(minute), readiness });
});

test('of a rebase all its commits are on the main line, of the others one', () => {
  expect(pullTimesOf(facts({ method: 'rebase' })).commits).toBe(3);
  expect(pullTimesOf(facts({ method: 'merge' })).commits).toBe(1);
});

describe('tests', () => {
  test('of the merge queue run on what is merged, before the merge', () => {
    const merge = commit(MAIN, 12, [check('test', [12, 15]), check('test', [16, 18])]);
    expect(pullTimesOf(facts({ merge }))).toMatchObject({
      prTests: [{ startedAt: at(11), endedAt: at(15) }],
      postMergeTests: [{ startedAt: at(16), endedAt: at(18) }],
    });
  });

  test('of a commit that became the main line as it was are told apart by the moment of the merge', () => {
    const same = commit(HEAD, 11, [check('test', [11, 13]), check('test', [17, 19])]);
    expect(pullTimesOf(facts({ head: same, merge: same }))).toMatchObject({
      prTests: [{ startedAt: at(11), endedAt: at(13) }],
      postMergeTests: [{ startedAt: at(17), endedAt: at(19) }],
    });
  });

  test('last from the first job to the end of the last one, and fail if one fails', () => {
    const merge = commit(MAIN, 16, [
      check('a', [17, 30]),
      check('b', [18, 20], { conclusion: 'failure' }),
      check('c', [18, 19], { conclusion: 'skipped' }),
    ]);
    expect(pullTimesOf(facts({ merge })).postMergeTests).toMatchObject([{ startedAt: at(17), endedAt: at(30), outcome: 'failure' }]);
  });

  test('run again are an attempt of their own', () => {
    const merge = commit(MAIN, 16, [
      check('a', [17, 20]),
      check('b', [17, 19], { conclusion: 'failure' }),
      check('b', [40, 44], { attempt: 2 }),
    ]);
    expect(pullTimesOf(facts({ merge })).postMergeTests).toMatchObject([
      { attempt: 1, startedAt: at(17), endedAt: at(20), outcome: 'failure' },
      { attempt: 2, startedAt: at(40), endedAt: at(44), outcome: 'success' },
    ]);
  });

  test('that are under way are not known yet', () => {
    const merge = commit(MAIN, 16, [check('a', [17, 20]), check('b', [17, undefined])]);
    expect(pullTimesOf(facts({ merge })).postMergeTests).toEqual([]);
  });

  test('that run every night on the same commit are none of the change', () => {
    const merge = commit(MAIN, 16, [check('a', [17, 20]), check('nightly', [600, 660], { trigger: 'other' })]);
    expect(pullTimesOf(facts({ merge })).postMergeTests).toMatchObject([{ endedAt: at(20) }]);
  });

  test('of which only the end is known begin with the commit, and are derived', () => {
    const head = commit(HEAD, 11, [check('ci/jenkins', [undefined, 13])]);
    const merge = commit(MAIN, 16, [check('ci/jenkins', [undefined, 20]), check('ci/slow', [undefined, undefined])]);
    expect(pullTimesOf(facts({ head, merge }))).toMatchObject({
      prTests: [{ startedAt: at(11), endedAt: at(13), confidence: 'derived' }],
      postMergeTests: [{ startedAt: at(16), endedAt: at(20), confidence: 'derived' }],
    });
  });

  test('of which there are more than were shown are derived', () => {
    const merge = { ...commit(MAIN, 16, [check('a', [17, 20])]), completeness: 'cut' as const };
    expect(pullTimesOf(facts({ merge })).postMergeTests).toMatchObject([{ confidence: 'derived' }]);
  });

  test('that ended before they began took no time', () => {
    const merge = commit(MAIN, 16, [check('a', [20, 17], { conclusion: 'cancelled' })]);
    expect(pullTimesOf(facts({ merge })).postMergeTests).toMatchObject([{ startedAt: at(20), endedAt: at(20), outcome: 'cancelled' }]);
  });

  test('there are none', () => {
    expect(pullTimesOf(facts({ head: commit(HEAD, 11, []), merge: commit(MAIN, 16, []) }))).toMatchObject({
      prTests: [],
      postMergeTests: [],
    });
  });
});
