import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';

/** What GitHub knows of the way of one pull request onto a branch. Names of people are not kept. */
export interface PullRequestFacts {
  readonly number: number;
  readonly url: string;
  /** A person whose account is gone counts as a person; an account of a person whose name ends with `-bot` as a bot. */
  readonly author: 'person' | 'bot';
  readonly createdAt: Instant;
  /** When it was last taken out of draft; `undefined`: it never was a draft, or was one to the end. */
  readonly readyForReviewAt: Instant | undefined;
  /** The last approval of what was merged in the end; `undefined`: nobody approved it after the last push. */
  readonly approvedAt: Instant | undefined;
  /** When it last entered the merge queue. */
  readonly queuedAt: Instant | undefined;
  /** When it was last told to merge itself as soon as it may. */
  readonly autoMergeAt: Instant | undefined;
  readonly mergedAt: Instant;
  /** Of anything about it, comments too. */
  readonly updatedAt: Instant;
  readonly method: MergeMethod;
  /** How many commits it had. */
  readonly commits: number;
  readonly head: CommitFacts;
  /** The commit on the branch: by it the facts are found again in git. Of a rebase the last one. */
  readonly merge: CommitFacts;
}

/** `squash`: one new commit; `rebase`: as many commits as the pull request had, copied or as they were. */
export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface CommitFacts {
  readonly commit: CommitId;
  readonly committedAt: Instant;
  /** In the order they began. */
  readonly checks: readonly CheckFacts[];
  /** `cut`: there are more of them than one answer holds. */
  readonly completeness: 'complete' | 'cut';
}

/** One run of one check: a job of GitHub Actions, a check of another app, or the last word of a commit status. */
export interface CheckFacts {
  readonly name: string;
  /** Of GitHub Actions: the workflow, and what started it, such as `pull_request` or `merge_group`. */
  readonly workflow: string | undefined;
  readonly event: string | undefined;
  /** From 1: runs of the same check on the same commit, in the order they began. */
  readonly attempt: number;
  /** `undefined`: not begun, or, for a commit status, not known. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not over. */
  readonly completedAt: Instant | undefined;
  readonly conclusion: Conclusion | undefined;
}

export type Conclusion = 'success' | 'failure' | 'cancelled' | 'skipped';
