import type { ChangedFile } from './changeset.js';
import type { CommitId } from './ids.js';
import type { Duration, Instant } from './time.js';

/**
 * One repository on a forge: the service that hosts its pull requests, releases, deployments and checks. Each forge has its own package
 * that translates its API into these types. Failures throw a ToolError that names the forge, or `INTERRUPTED`; a failure never becomes an
 * empty result.
 */
export interface Forge {
  /** The name of the service, for messages. */
  readonly name: string;
  /** `acme/app`, for messages. */
  readonly repository: string;
  /** Throws `USAGE` for an invalid number. */
  readonly readPullRequestFiles: (number: number) => Promise<PullRequestFiles>;
  /**
   * Returns the commit of the workflow's newest successful run that a push to the branch started; `undefined` if there is none. It may not
   * be an ancestor of the branch's head: a later push may have been forced.
   */
  readonly findLastPassingCommit: (asked: BranchWorkflow) => Promise<CommitId | undefined>;
  /**
   * Returns the merged pull requests of a branch, page by page. The next page is requested only after the caller has finished the one
   * before. So a caller that stores pages and cursors can be killed at any point. A pull request updated between two pages moves to the
   * front and is missed. To catch it, pass the `updatedAt` of this call's first pull request as the next `since`.
   */
  readonly readMergedPullRequests: (asked: MergedPullRequestsAsked) => AsyncIterable<PullRequestPage>;
  /** Returns the releases without drafts; `unchanged` if the list still has the given `etag`. */
  readonly readReleases: (etag: string | undefined) => Promise<ReleaseList | 'unchanged'>;
  /** Returns the deployments to an environment, page by page, newest first. A caller may stop early. */
  readonly readDeployments: (environment: string) => AsyncIterable<readonly Deployment[]>;
  /** Returns the CI runs that pushes to a branch started, page by page. */
  readonly readCiRuns: (asked: CiRunsAsked) => AsyncIterable<readonly CiRun[]>;
  /** Returns the CI runs on a commit, whatever started them. */
  readonly readCiRunsOf: (commit: CommitId) => Promise<readonly CiRun[]>;
  /** Returns all attempts of all jobs of a CI run. */
  readonly readCiJobs: (run: number) => Promise<readonly CiJob[]>;
  /** Replaces this account's comment that has the marker, or adds one. It is the only write operation. */
  readonly writeComment: (comment: Comment) => Promise<'created' | 'updated'>;
}

/** A comment on a pull request. */
export interface Comment {
  /** The number of the pull request. */
  readonly pullRequest: number;
  /** The first line of the comment, `<!-- … -->`, which is not rendered. It identifies the comment later. */
  readonly marker: string;
  /** Markdown. */
  readonly body: string;
}

export interface PullRequestFiles {
  /** The files between merge base and head, in git's order, each path once. */
  readonly files: readonly ChangedFile[];
  /** The commit of the base branch when the forge last looked. It may be outdated, and is not the merge base. */
  readonly base: CommitId;
  /** `main`, without `refs/heads/`. */
  readonly baseRef: string;
  readonly head: CommitId;
  /** The forge's trial merge; for a merged pull request, its merge commit. `null` if there is a conflict or the forge has not tried yet. */
  readonly mergeCommit: CommitId | null;
  /** `incomplete`: some changed files may be missing; `reason` is a sentence without its full stop. */
  readonly completeness: { readonly kind: 'complete' } | { readonly kind: 'incomplete'; readonly reason: string };
}

export interface BranchWorkflow {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** The file name of the workflow, such as `ci.yml`. Without it, nothing shows whether the tests are among what passed. */
  readonly workflow: string;
}

export interface MergedPullRequestsAsked {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** Leaves out pull requests that were last updated before this time. */
  readonly since?: Instant | undefined;
  /** The cursor of the last page that was stored; the listing continues after it. */
  readonly after?: string | undefined;
}

export interface PullRequestPage {
  /** Most recently updated first. A pull request that is updated during the listing may appear twice. */
  readonly pullRequests: readonly MergedPullRequest[];
  /** The number of merged pull requests without a commit on the branch, for example after the branch was rewritten. */
  readonly withoutCommit: number;
  /** Pass it as `after` to continue after this page; `undefined`: this is the last page. */
  readonly cursor: string | undefined;
  /** How far the forge's clock is ahead of the local one. All times are the forge's, uncorrected. */
  readonly clockSkew: Duration | undefined;
}

/** A merged pull request with its checks. It contains no names of people. */
export interface MergedPullRequest {
  readonly url: string;
  readonly author: 'person' | 'bot';
  readonly createdAt: Instant;
  /** When it last left draft; `undefined` if it never was a draft, or remained one. */
  readonly readyForReviewAt: Instant | undefined;
  /** The last approval of the commits that were merged; `undefined` if nobody approved after the last push. */
  readonly approvedAt: Instant | undefined;
  readonly mergedAt: Instant;
  /** The last update of anything about it, including comments. */
  readonly updatedAt: Instant;
  /** `squash`: one new commit; `rebase`: as many commits as the pull request had, copied or unchanged. */
  readonly method: 'merge' | 'squash' | 'rebase';
  /** The number of its commits. */
  readonly commits: number;
  readonly head: CheckedCommit;
  /** Its commit on the branch, for lookup in git; for a rebase, the last one. */
  readonly merge: CheckedCommit;
}

export interface CheckedCommit {
  readonly commit: CommitId;
  readonly committedAt: Instant;
  /** In the order in which they began. */
  readonly checks: readonly CheckRun[];
  /** `cut`: the commit has more checks than these. */
  readonly completeness: 'complete' | 'cut';
}

/** One run of one check: a job of the forge's CI, a check of another app, or the last state of a commit status. */
export interface CheckRun {
  readonly name: string;
  /** `change`: a push, a pull request or a merge queue, or unknown; `other`: a schedule or a person. */
  readonly trigger: 'change' | 'other';
  /** Numbers the runs of one check on one commit, from 1, in the order in which they began. */
  readonly attempt: number;
  /** `undefined`: not started, or unknown for a commit status. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not finished. */
  readonly completedAt: Instant | undefined;
  /** `undefined`: not finished. */
  readonly conclusion: Conclusion | undefined;
}

export type Conclusion = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface ReleaseList {
  /** Newest first. */
  readonly releases: readonly ForgeRelease[];
  /** Identifies this state of the list; pass it to the next call. */
  readonly etag: string | undefined;
}

/** A published release. Its commit is the one of its tag, which git knows. Plain JSON. */
export interface ForgeRelease {
  readonly tag: string;
  readonly publishedAt: Instant;
  readonly kind: 'release' | 'prerelease';
}

/** A deployment and its outcome. Plain JSON. */
export interface Deployment {
  readonly id: number;
  readonly commit: CommitId;
  /** The time of the first success or the last failure; `null`: in progress. */
  readonly endedAt: Instant | null;
  readonly startedAt: Instant;
  /** A deployment that succeeded stays a success when a later one replaces it. */
  readonly outcome: 'success' | 'failure' | null;
  /** `derived`: it has more states than the forge listed. */
  readonly confidence: 'exact' | 'derived';
}

export interface CiRunsAsked {
  /** `main`, without `refs/heads/`. */
  readonly branch: string;
  /** Selects runs created from `since` until before `until`, in whole seconds. */
  readonly since: Instant;
  readonly until: Instant;
}

export interface CiRun {
  readonly id: number;
  readonly commit: CommitId;
  /** The name of its workflow. */
  readonly workflow: string;
  /** The number of the last attempt, from 1. The jobs list the earlier ones. */
  readonly attempt: number;
  /** `undefined`: not finished. */
  readonly conclusion: Conclusion | undefined;
}

export interface CiJob {
  readonly name: string;
  readonly attempt: number;
  /** `undefined`: not started. */
  readonly startedAt: Instant | undefined;
  /** `undefined`: not finished. */
  readonly completedAt: Instant | undefined;
  readonly conclusion: Conclusion | undefined;
}

/** An account on a forge that owns repositories: a person or an organisation. It fails in the same ways as `Forge`. */
export interface ForgeOwner {
  /** The name of the service, for messages. */
  readonly name: string;
  readonly owner: string;
  /** Returns all repositories that the token may read, ordered by name, including archived ones and forks. */
  readonly readRepositories: () => Promise<readonly ForgeRepository[]>;
  /** Returns a file's text at the last commit of the default branch; `undefined` if there is no such file or it is a link. */
  readonly readFile: (repository: string, path: string) => Promise<string | undefined>;
}

export interface ForgeRepository {
  /** The name without its owner, such as `app`. */
  readonly name: string;
  /** The addresses to fetch it from. */
  readonly addresses: { readonly https: string; readonly ssh: string };
  readonly state: 'active' | 'archived';
  readonly origin: 'own' | 'fork';
}
