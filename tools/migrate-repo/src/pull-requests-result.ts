import type { ErrorCode } from '@tributary/model/errors';

/** What `migrate-repo pull-requests <name> --json` prints. Schema: `schema/pull-requests-result.schema.json`. */
export interface PullRequestsResult {
  readonly schemaVersion: 1;
  /** `planned` with `--dry-run`; nothing was written then, and states and calls are those that would come. */
  readonly state: 'planned' | 'done';
  readonly name: string;
  readonly path: string;
  /** The repositories on the forge: `acme/left-pad`. */
  readonly source: string;
  readonly target: string;
  /** The remote of the monorepo that branches are pushed to. */
  readonly remote: string;
  /** The open pull requests of the source, in the order of their numbers. */
  readonly pullRequests: readonly PullRequestResult[];
  readonly milliseconds: number;
}

/** One open pull request of the source, and what became of it. */
export interface PullRequestResult {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** `null`: the account is gone. */
  readonly author: string | null;
  readonly draft: boolean;
  /** The branch in the monorepo: `left-pad/pr-7`. */
  readonly branch: string;
  /** The branch that it is to be merged into; `null`: it failed before that was known. */
  readonly base: string | null;
  /** Its last commit in the source, and what that became; `null`: it failed before. */
  readonly head: string | null;
  readonly tip: string | null;
  /** Commits that the monorepo does not have yet. Each has the patch, the author and the dates that it has in the source. */
  readonly commits: number;
  /**
   * `closed`: the monorepo's pull request was closed or merged, and is left alone. `contained`: the monorepo has all its commits. `left out`: it comes from a fork, with --no-forks. `failed`: see `failure`; what was done before it
   * stands in `calls`.
   */
  readonly state: 'opened' | 'updated' | 'unchanged' | 'closed' | 'contained' | 'left out' | 'failed';
  /** The pull request of the monorepo; `null`: there is none yet. */
  readonly target: { readonly number: number; readonly url: string } | null;
  /** Every call that writes, in order. */
  readonly calls: readonly CallResult[];
  /** What a person should know. */
  readonly notes: readonly string[];
  readonly failure: { readonly code: ErrorCode; readonly message: string; readonly hint: string | null } | null;
}

/** One call that writes to a server. */
export interface CallResult {
  /** `push left-pad/pr-7 to origin` */
  readonly call: string;
  /** What is sent, beside commits; `null`: nothing is. */
  readonly sent: Readonly<Record<string, unknown>> | null;
}
