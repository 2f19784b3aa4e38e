import type { CheckFacts, CommitFacts, PullRequestFacts } from '@tributary/github/pipeline-facts';
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

/** What a push or a pull request starts. A nightly run on the same commit is no test of the change. */
const OF_A_CHANGE: ReadonlySet<string | undefined> = new Set(['push', 'pull_request', 'pull_request_target', 'merge_group', undefined]);

/** The times of a pull request out of what GitHub knows of it. Checks that began before the merge are those of the pull request, wherever they ran. */
export function pullTimesOf(facts: PullRequestFacts): PullTimes {
  const { head, merge, mergedAt, approvedAt } = facts;
  const ran = [...runsOf(head, head.committedAt), ...(merge.commit === head.commit ? [] : runsOf(merge, mergedAt))];
  const before = ran.filter((run) => run.startedAt < mergedAt);
  const after = ran.filter((run) => run.startedAt >= mergedAt && run.commit === merge.commit);
  return {
    url: facts.url,
    author: facts.author,
    commit: merge.commit,
    commits: facts.method === 'rebase' ? facts.commits : 1,
    openedAt: facts.createdAt,
    readyAt: readyAt(facts),
    readiness: approvedAt === undefined ? 'derived' : 'exact',
    mergedAt,
    prTests: attemptsOf(before.filter(({ endedAt }) => endedAt !== undefined)),
    postMergeTests: after.some(({ endedAt }) => endedAt === undefined) ? [] : attemptsOf(after),
  };
}

function readyAt({ approvedAt, readyForReviewAt, createdAt, head, mergedAt }: PullRequestFacts): Instant {
  const last = Math.max(approvedAt ?? Math.max(createdAt, head.committedAt), readyForReviewAt ?? 0);
  // A clock of somebody's machine may have dated the commit after its merge.
  return Math.min(last, mergedAt) as Instant;
}

interface Run extends TestJob {
  readonly commit: CommitId;
}

/** `since`: where the beginning of a check is not known. What has not begun is left out. */
function runsOf({ commit, checks, completeness }: CommitFacts, since: Instant): readonly Run[] {
  return checks
    .filter((check) => OF_A_CHANGE.has(check.event) && isBegun(check))
    .map(({ attempt, startedAt, completedAt, conclusion }) => {
      const start = startedAt ?? (Math.min(since, completedAt ?? since) as Instant);
      const confidence = startedAt === undefined || completeness === 'cut' ? 'derived' : 'exact';
      // A check that was given up may be marked as ended before it began.
      const endedAt = completedAt === undefined ? undefined : (Math.max(start, completedAt) as Instant);
      return { commit, attempt, startedAt: start, endedAt, outcome: conclusion ?? 'failure', confidence };
    });
}

function isBegun({ startedAt, completedAt }: CheckFacts): boolean {
  return startedAt !== undefined || completedAt !== undefined;
}
