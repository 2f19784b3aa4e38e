import type { CommitId } from './ids.js';

/**
 * The open pull requests of one repository on a forge, for reading and writing. Each forge has its own package that translates its API into
 * these types. Failures throw a `ToolError` that names the forge; a failure never becomes an empty result. A write whose response was lost
 * is never repeated.
 */
export interface PullRequestHost {
  /** The name of the service, for messages. */
  readonly name: string;
  /** `acme/app`. */
  readonly repository: string;
  readonly readRepository: () => Promise<HostedRepository>;
  /** Returns the rules of an existing branch. */
  readonly readBranchRules: (branch: string) => Promise<BranchRules>;
  /** In the order of their numbers. */
  readonly listOpen: () => Promise<readonly PullRequest[]>;
  /** Pull requests in any state whose head is this branch of the repository itself, newest first. */
  readonly listOfBranch: (branch: string) => Promise<readonly PullRequest[]>;
  readonly open: (request: NewPullRequest) => Promise<PullRequest>;
  readonly update: (number: number, text: PullRequestText) => Promise<void>;
}

/** A repository, as its forge describes it. */
export interface HostedRepository {
  /** `main`, without `refs/heads/`. */
  readonly defaultBranch: string;
  /** Whether pull requests may be merged with a merge commit. `unknown`: the account may not read this. */
  readonly mergeCommits: 'allowed' | 'refused' | 'unknown';
  /** The repository that it is a fork of, such as `acme/app`. */
  readonly parent: string | undefined;
}

/** Whether the rules of a branch allow merge commits. `why`: half a sentence. `unknown`: the account may not read all of the rules. */
export type BranchRules = { readonly mergeCommits: 'allowed' | 'unknown' } | { readonly mergeCommits: 'refused'; readonly why: string };

/** The text of a pull request. */
export interface PullRequestText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** A pull request as it is on the forge. */
export interface PullRequest extends PullRequestText {
  readonly number: number;
  /** The web address, for people. */
  readonly url: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** The login of its author; `undefined`: the account was deleted. */
  readonly author: string | undefined;
  readonly createdAt: string;
  readonly base: string;
  readonly head: {
    readonly branch: string;
    readonly commit: CommitId;
    /** Such as `acme/app`; `undefined`: the fork was deleted. */
    readonly repository: string | undefined;
  };
}

/** A pull request to open from a branch of the repository itself. */
export interface NewPullRequest extends PullRequestText {
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
}
