import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { MigrateRequest } from './migrate-request.js';

/** The request of the command line. Everything else is in the import record. */
export interface SyncRequest
  extends Pick<
    MigrateRequest,
    'align' | 'install' | 'internal' | 'scripts' | 'allowedFaults' | 'lfsPointers' | 'proposal' | 'report' | 'extent'
  > {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** The current location of the source; `undefined`: the recorded one. */
  readonly from: RepoUrl | undefined;
  readonly branch: string | undefined;
  /** Another branch of the source than the recorded one. */
  readonly sourceBranch: string | undefined;
  readonly tags: 'recorded' | 'none';
  /** The work tree for a merge with conflicts; `undefined`: beside the monorepo. */
  readonly worktree: AbsolutePath | undefined;
}
