import type { CheckedCommit, MergedPullRequest } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { Event } from '../model/event.js';
import { attemptsOf, type TestJob, type TestTimes } from './test-times.js';

/** What is kept of a pull request: the times of its stages, and nothing of people. Plain JSON. */
export interface PullTimes {
  readonly url: string;
  readonly author: Event['actor'];
  /** Its commit on the main line; of a rebase the last one. */
  readonly commit: CommitId;
  /** How many commits of the main line are its own, up to that one. */
  readonly commits: number;
  readonly openedAt: Instant;
  /** Since when nobody had to do anything but merge it. `derived`: nobody approved it after the last push. */
  readonly readyAt: Instant;
  readonly readiness: Event['confidence'];
  readonly mergedAt: Instant;
  /** By attempt. */
  readonly prTests: readonly TestTimes[];
  /** None while some are under way. */
  readonly postMergeTests: readonly TestTimes[];
}

/** Checks that began before the merge are those of the pull request, wherever they ran. */
export function pullTimesOf(pullRequest: MergedPullRequest): PullTimes {
  const { head, merge, mergedAt, approvedAt } = pullRequest;
  const ran = [...runsOf(head, head.committedAt), ...(merge.commit === head.commit ? [] : runsOf(merge, mergedAt))];
  const before = ran.filter((run) => run.startedAt < mergedAt);
  const after = ran.filter((run) => run.startedAt >= mergedAt && run.commit === merge.commit);
  return {
    url: pullRequest.url,
    author: pullRequest.author,
    commit: merge.commit,
    commits: pullRequest.method === 'rebase' ? pullRequest.commits : 1,
    openedAt: pullRequest.createdAt,
    readyAt: readyAt(pullRequest),
    readiness: approvedAt === undefined ? 'derived' : 'exact',
    mergedAt,
    prTests: attemptsOf(before.filter(({ endedAt }) => endedAt !== undefined)),
    postMergeTests: after.some(({ endedAt }) => endedAt === undefined) ? [] : attemptsOf(after),
  };
}

function readyAt({ approvedAt, readyForReviewAt, createdAt, head, mergedAt }: MergedPullRequest): Instant {
  const last = Math.max(approvedAt ?? Math.max(createdAt, head.committedAt), readyForReviewAt ?? 0);
  // A clock of somebody's machine may have dated the commit after its merge.
  return Math.min(last, mergedAt) as Instant;
}

interface Run extends TestJob {
  readonly commit: CommitId;
}

/** `since`: where the beginning of a check is not known. */
function runsOf({ commit, checks, completeness }: CheckedCommit, since: Instant): readonly Run[] {
  return (
    checks
      // A nightly run on the same commit is no test of the change. A check without any time has not begun.
      .filter(({ trigger, startedAt, completedAt }) => trigger === 'change' && (startedAt ?? completedAt) !== undefined)
      .map(({ attempt, startedAt, completedAt, conclusion }) => {
        const start = startedAt ?? (Math.min(since, completedAt ?? since) as Instant);
        const confidence = startedAt === undefined || completeness === 'cut' ? 'derived' : 'exact';
        // A check that was given up may be marked as ended before it began.
        const endedAt = completedAt === undefined ? undefined : (Math.max(start, completedAt) as Instant);
        return { commit, attempt, startedAt: start, endedAt, outcome: conclusion ?? 'failure', confidence };
      })
  );
}
