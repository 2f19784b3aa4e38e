import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';

/** The request of the command line. */
export interface MirrorRequest {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** The ref to mirror; `undefined`: HEAD. */
  readonly ref: string | undefined;
  readonly to: RepoUrl;
  /** The branch of the mirror; `undefined`: the imported one, or the mirror's own. */
  readonly branch: string | undefined;
  readonly tags: 'recorded' | 'none';
  readonly extent: 'all' | 'plan only';
}
