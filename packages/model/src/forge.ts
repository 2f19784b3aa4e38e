import type { ChangedFile } from './changeset.js';
import type { CommitId } from './ids.js';
import type { Duration, Instant } from './time.js';

/**
 * One repository on a forge: the service that hosts its pull requests, releases, deployments and checks. Each forge has a package of its own that
 * translates its API into these types. A failure is thrown as a ToolError that names the forge, and `INTERRUPTED`; it never becomes an empty result.
 */
export interface Forge {
  /** The name of the service, for messages. */
  readonly name: string;
  /** `acme/app`, for messages. */
  readonly repository: string;
  /** Throws `USAGE` for an impossible number. */
  readonly readPullRequestFiles: (number: number) => Promise<PullRequestFiles>;
  /**
   * The commit of the newest run of a workflow that a push to the branch started and that succeeded; `undefined` if there was none.
   * It need not be an ancestor of the branch's head: a push may have been forced since.
   */
  readonly findLastPassingCommit: (asked: BranchWorkflow) => Promise<CommitId | undefined>;
  /**
   * The merged pull requests of a branch. The next page is requested when the caller has finished with the one before, so a caller that keeps pages
   * and cursors can be killed at any point. A pull request that is updated between two pages moves to the front and is missed: ask next time `since`
   * the `updatedAt` of the first one of this time.
   */
  readonly readMergedPullRequests: (asked: MergedPullRequestsAsked) => AsyncIterable<PullRequestPage>;
  /** Without drafts. `unchanged`: the list still has the given `etag`. */
  readonly readReleases: (etag: string | undefined) => Promise<ReleaseList | 'unchanged'>;
  /** The deployments to an environment, page by page, the newest first. A caller that has seen enough stops. */
  readonly readDeployments: (environment: string) => AsyncIterable<readonly Deployment[]>;
  /** The CI runs that pushes to a branch started, page by page. */
  readonly readCiRuns: (asked: CiRunsAsked) => AsyncIterable<readonly CiRun[]>;
  /** The CI runs on a commit, whatever started them. */
  readonly readCiRunsOf: (commit: CommitId) => Promise<readonly CiRun[]>;
  /** All attempts of all jobs of a CI run. */
  readonly readCiJobs: (run: number) => Promise<readonly CiJob[]>;
  /** Replaces the comment with this marker that the same account wrote, or adds one: the only thing that is ever written. */
  readonly writeComment: (comment: Comment) => Promise<'created' | 'updated'>;
}

/** A comment on a pull request. */
export interface Comment {
  /** The number of the pull request. */
  readonly pullRequest: number;
  /** Its first line, which is not shown: `<!-- … -->`. By it the comment is found again. */
  readonly marker: string;
  /** Markdown. */
  readonly body: string;
}

export interface PullRequestFiles {
  /** In the order of git, each path once; between the merge base and the head. */
  readonly files: readonly ChangedFile[];
  /** Where the base branch stood when the forge last looked. It may be old, and is not the merge base. */
  readonly base: CommitId;
  /** `main`, without `refs/heads/`. */
  readonly baseRef: string;
  readonly head: CommitId;
  /** The forge's trial merge; of a merged pull request, what it became. `null` where there is a conflict or the forge has not tried yet. */
  readonly mergeCommit: CommitId | null;
  /** `incomplete`: some changed files may be missing; the reason is a sentence without its full stop. */
  readonly completeness: { readonly kind: 'complete' } | { readonly kind: 'incomplete'; readonly reason: string };
}

export interface BranchWorkflow {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** The name of its file, `ci.yml`. Without it nobody could tell whether the tests are among what passed. */
  readonly workflow: string;
}

export interface MergedPullRequestsAsked {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** Leaves out pull requests that were last updated before. */
  readonly since?: Instant | undefined;
  /** The cursor of the last page that was kept: continues after it. */
  readonly after?: string | undefined;
}

export interface PullRequestPage {
  /** The last updated first. A pull request may come twice if somebody updates it meanwhile. */
  readonly pullRequests: readonly MergedPullRequest[];
  /** How many merged pull requests have no commit on the branch, as after the branch was rewritten. */
  readonly withoutCommit: number;
  /** Pass it as `after` to continue after this page; `undefined`: this is the last page. */
  readonly cursor: string | undefined;
  /** How far the forge's clock is ahead of ours. All times are the forge's, and nothing is corrected. */
  readonly clockSkew: Duration | undefined;
}

/** A merged pull request with its checks. It holds no names of people. */
export interface MergedPullRequest {
  readonly url: string;
  readonly author: 'person' | 'bot';
  readonly createdAt: Instant;
  /** When it last left draft; `undefined`: it never was a draft, or was one to the end. */
  readonly readyForReviewAt: Instant | undefined;
  /** The last approval of what was merged in the end; `undefined`: nobody approved it after the last push. */
  readonly approvedAt: Instant | undefined;
  readonly mergedAt: Instant;
  /** Of anything about it, comments too. */
  readonly updatedAt: Instant;
  /** `squash`: one new commit; `rebase`: as many commits as the pull request had, copied or as they were. */
  readonly method: 'merge' | 'squash' | 'rebase';
  /** How many commits it had. */
  readonly commits: number;
  readonly head: CheckedCommit;
  /** The commit on the branch, by which it is found in git. Of a rebase the last one. */
  readonly merge: CheckedCommit;
}

export interface CheckedCommit {
  readonly commit: CommitId;
  readonly committedAt: Instant;
  /** In the order they began. */
  readonly checks: readonly CheckRun[];
  /** `cut`: the commit has more checks than these. */
  readonly completeness: 'complete' | 'cut';
}

/** One run of one check: a job of the forge's CI, a check of another app, or the last state of a commit status. */
export interface CheckRun {
  readonly name: string;
  /** `change`: a push, a pull request or a merge queue, or it is not known; `other`: a schedule or a person. */
  readonly trigger: 'change' | 'other';
  /** From 1: runs of the same check on the same commit, in the order they began. */
  readonly attempt: number;
  /** `undefined`: not begun, or, for a commit status, not known. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not over. */
  readonly completedAt: Instant | undefined;
  /** `undefined`: not over. */
  readonly conclusion: Conclusion | undefined;
}

export type Conclusion = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface ReleaseList {
  /** The newest first. */
  readonly releases: readonly ForgeRelease[];
  /** Names this state of the list; pass it the next time. */
  readonly etag: string | undefined;
}

/** A release that is out. Its commit is that of the tag, which git knows. Plain JSON. */
export interface ForgeRelease {
  readonly tag: string;
  readonly publishedAt: Instant;
  readonly kind: 'release' | 'prerelease';
}

/** A deployment and its outcome. Plain JSON. */
export interface Deployment {
  readonly id: number;
  readonly commit: CommitId;
  /** When the first success or the last failure came; `null`: in progress. */
  readonly endedAt: Instant | null;
  readonly startedAt: Instant;
  /** A deployment that succeeded once stays a success when a later one replaces it. */
  readonly outcome: 'success' | 'failure' | null;
  /** `derived`: it has more states than the forge listed. */
  readonly confidence: 'exact' | 'derived';
}

export interface CiRunsAsked {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** The first moment, and the one after the last, in whole seconds: runs created then. */
  readonly since: Instant;
  readonly until: Instant;
}

export interface CiRun {
  readonly id: number;
  readonly commit: CommitId;
  /** The name of its workflow. */
  readonly workflow: string;
  /** Of the last attempt, from 1. The jobs have the others. */
  readonly attempt: number;
  /** `undefined`: not over. */
  readonly conclusion: Conclusion | undefined;
}

export interface CiJob {
  readonly name: string;
  readonly attempt: number;
  /** `undefined`: not begun. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not over. */
  readonly completedAt: Instant | undefined;
  readonly conclusion: Conclusion | undefined;
}

/** An account on a forge that owns repositories: a person or an organisation. Failures are as those of `Forge`. */
export interface ForgeOwner {
  /** The name of the service, for messages. */
  readonly name: string;
  readonly owner: string;
  /** All that the token may see, ordered by name; archived ones and forks too. */
  readonly readRepositories: () => Promise<readonly ForgeRepository[]>;
  /** The text of a file of the last commit of the default branch; `undefined`: there is no such file, or it is a link. */
  readonly readFile: (repository: string, path: string) => Promise<string | undefined>;
}

export interface ForgeRepository {
  /** `app`, without its owner. */
  readonly name: string;
  /** Where it is fetched. */
  readonly addresses: { readonly https: string; readonly ssh: string };
  readonly state: 'active' | 'archived';
  readonly origin: 'own' | 'fork';
}
