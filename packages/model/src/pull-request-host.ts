import type { CommitId } from './ids.js';

/**
 * The open pull requests of one repository on a forge, read and written. Each forge has a package of its own that translates its API into these types. A failure is thrown as a
 * `ToolError` that names the forge; it never becomes an empty result. No write is repeated after its answer was lost.
 */
export interface PullRequestHost {
  /** The name of the service, for messages. */
  readonly name: string;
  /** `acme/app`. */
  readonly repository: string;
  readonly readRepository: () => Promise<HostedRepository>;
  /** Of a branch that is there. */
  readonly readBranchRules: (branch: string) => Promise<BranchRules>;
  /** In the order of their numbers. */
  readonly listOpen: () => Promise<readonly PullRequest[]>;
  /** Open ones and others whose head is a branch of the repository itself, the newest first. */
  readonly listOfBranch: (branch: string) => Promise<readonly PullRequest[]>;
  /** The names of the repository's labels. */
  readonly listLabels: () => Promise<readonly string[]>;
  readonly open: (request: NewPullRequest) => Promise<PullRequest>;
  readonly update: (number: number, text: PullRequestText) => Promise<void>;
  readonly addLabels: (number: number, labels: readonly string[]) => Promise<void>;
  /** Replaces the comment with this marker that the same account wrote, or adds one. */
  readonly writeComment: (comment: { readonly pullRequest: number; readonly marker: string; readonly body: string }) => Promise<unknown>;
}

/** What a forge says of a repository. */
export interface HostedRepository {
  /** `main`, without `refs/heads/`. */
  readonly defaultBranch: string;
  /** Whether a pull request may be merged with a merge commit. `unknown`: the account may not see it. */
  readonly mergeCommits: 'allowed' | 'refused' | 'unknown';
  /** `acme/app`: what it is a fork of. */
  readonly parent: string | undefined;
}

/** Whether the rules of a branch let a merge commit in. `why`: in half a sentence; `unknown`: the account may not see all of them. */
export type BranchRules = { readonly mergeCommits: 'allowed' | 'unknown' } | { readonly mergeCommits: 'refused'; readonly why: string };

/** What people read of a pull request. */
export interface PullRequestText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** A pull request as it is on the forge. */
export interface PullRequest extends PullRequestText {
  readonly number: number;
  /** For people. */
  readonly url: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** The login of who opened it; `undefined`: the account is gone. */
  readonly author: string | undefined;
  readonly createdAt: string;
  readonly labels: readonly string[];
  readonly base: string;
  readonly head: {
    readonly branch: string;
    readonly commit: CommitId;
    /** `acme/app`; `undefined`: the fork is gone. */
    readonly repository: string | undefined;
  };
}

/** A pull request to be opened from a branch of the repository itself. */
export interface NewPullRequest extends PullRequestText {
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
}
