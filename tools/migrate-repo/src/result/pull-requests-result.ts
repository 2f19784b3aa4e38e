import type { ErrorCode } from '@tributary/model/errors';

/** The output of `migrate-repo pull-requests <name> --json`. Schema: `schema/pull-requests-result.schema.json`. */
export interface PullRequestsResult {
  readonly schemaVersion: 1;
  /** `planned` with `--dry-run`: nothing was written, and states and calls are the expected ones. */
  readonly state: 'planned' | 'done';
  readonly name: string;
  readonly path: string;
  /** The repositories' names on the forge: `acme/left-pad`. */
  readonly source: string;
  readonly target: string;
  /** The remote of the monorepo that branches are pushed to. */
  readonly remote: string;
  /** The open pull requests of the source, ordered by number. */
  readonly pullRequests: readonly PullRequestResult[];
  readonly milliseconds: number;
}

/** One open pull request of the source, with the outcome. */
export interface PullRequestResult {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** `null` if the account no longer exists. */
  readonly author: string | null;
  readonly draft: boolean;
  /** The branch in the monorepo: `left-pad/pr-7`. */
  readonly branch: string;
  /** The branch to merge it into; `null` if it failed before that was known. */
  readonly base: string | null;
  /** Its last commit in the source, and the rewritten one; `null` if it failed before. */
  readonly head: string | null;
  readonly tip: string | null;
  /** The number of commits that the monorepo lacks. Each keeps its patch, author and dates. */
  readonly commits: number;
  /**
   * `closed`: the monorepo's pull request was closed or merged, and is not changed. `contained`: the monorepo has all
   * its commits. `left out`: it comes from a fork, with --no-forks. `failed`: see `failure`; `calls` lists what was
   * done before.
   */
  readonly state: 'opened' | 'updated' | 'unchanged' | 'closed' | 'contained' | 'left out' | 'failed';
  /** The pull request in the monorepo; `null` if there is none yet. */
  readonly target: { readonly number: number; readonly url: string } | null;
  /** Every call that writes, in order. */
  readonly calls: readonly CallResult[];
  /** Notes for the user. */
  readonly notes: readonly string[];
  readonly failure: { readonly code: ErrorCode; readonly message: string; readonly hint: string | null } | null;
}

/** One call that writes to a server. */
export interface CallResult {
  /** `push left-pad/pr-7 to origin` */
  readonly call: string;
  /** What is sent besides commits; `null` if nothing is. */
  readonly sent: Readonly<Record<string, unknown>> | null;
}
