import type { CheckedCommit, MergedPullRequest } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { Event } from '../model/event.js';
import { attemptsOf, type TestJob, type TestTimes } from './test-times.js';

/** The kept data of a pull request: the times of its stages, and nothing about people. Plain JSON. */
export interface PullTimes {
  readonly url: string;
  readonly author: Event['actor'];
  /** Its commit on the main line; the last one of a rebase. */
  readonly commit: CommitId;
  /** The number of its commits on the main line, ending with that one. */
  readonly commits: number;
  readonly openedAt: Instant;
  /** The time from which only the merge was missing. `derived`: nobody approved it after the last push. */
  readonly readyAt: Instant;
  readonly readiness: Event['confidence'];
  readonly mergedAt: Instant;
  /** By attempt. */
  readonly prTests: readonly TestTimes[];
  /** Empty while some are under way. */
  readonly postMergeTests: readonly TestTimes[];
}

/** Counts checks that began before the merge for the pull request, wherever they ran. */
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
  // A wrong clock may have dated the commit after its merge.
  return Math.min(last, mergedAt) as Instant;
}

interface Run extends TestJob {
  readonly commit: CommitId;
}

/** `since`: the assumed start of a check without one. */
function runsOf({ commit, checks, completeness }: CheckedCommit, since: Instant): readonly Run[] {
  return (
    checks
      // Excludes nightly runs on the same commit, which do not test the change, and checks that have not begun.
      .filter(({ trigger, startedAt, completedAt }) => trigger === 'change' && (startedAt ?? completedAt) !== undefined)
      .map(({ attempt, startedAt, completedAt, conclusion }) => {
        const start = startedAt ?? (Math.min(since, completedAt ?? since) as Instant);
        const confidence = startedAt === undefined || completeness === 'cut' ? 'derived' : 'exact';
        // An abandoned check may have an end before its start.
        const endedAt = completedAt === undefined ? undefined : (Math.max(start, completedAt) as Instant);
        return { commit, attempt, startedAt: start, endedAt, outcome: conclusion ?? 'failure', confidence };
      })
  );
}
