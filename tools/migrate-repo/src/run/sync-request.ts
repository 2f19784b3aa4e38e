import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { MigrateRequest } from './migrate-request.js';

/** What the command line asks for. What is not asked for here, the import record says. */
export interface SyncRequest
  extends Pick<MigrateRequest, 'align' | 'install' | 'internal' | 'scripts' | 'allowedFaults' | 'lfsPointers' | 'proposal' | 'extent'> {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** Where the source is now; `undefined`: where the record says. */
  readonly from: RepoUrl | undefined;
  readonly branch: string | undefined;
  /** Another branch of the source than the recorded one. */
  readonly sourceBranch: string | undefined;
  readonly tags: 'recorded' | 'none';
  /** Where a merge that conflicts is left; `undefined`: beside the monorepo. */
  readonly worktree: AbsolutePath | undefined;
}
