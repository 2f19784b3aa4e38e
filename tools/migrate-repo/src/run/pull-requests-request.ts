import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';

/** What the command line asks for. */
export interface PullRequestsRequest {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** Where the source is now; `undefined`: where the record says. */
  readonly from: RepoUrl | undefined;
  /** The remote of the monorepo: `origin`. */
  readonly remote: string;
  /** The branch of the monorepo in the place of the one that was imported; `undefined`: the default branch. */
  readonly base: string | undefined;
  /** Whether the pull requests of the source get a comment. */
  readonly comment: 'write' | 'none';
  /** `leave out`: those whose head is no branch of the source itself. */
  readonly forks: 'bring' | 'leave out';
  readonly extent: 'all' | 'plan only';
}
