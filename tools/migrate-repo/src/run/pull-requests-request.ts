import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';

/** The request of the command line. */
export interface PullRequestsRequest {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** The current location of the source; `undefined`: the recorded one. */
  readonly from: RepoUrl | undefined;
  /** The remote of the monorepo: `origin`. */
  readonly remote: string;
  /** The branch of the monorepo that replaces the imported one; `undefined`: the default branch. */
  readonly base: string | undefined;
  /** `leave out`: skip those whose head is not a branch of the source itself. */
  readonly forks: 'bring' | 'leave out';
  readonly extent: 'all' | 'plan only';
}
