import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';

/** What the command line asks for. */
export interface MirrorRequest {
  readonly name: WorkspaceName;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  /** What is mirrored; `undefined`: HEAD. */
  readonly ref: string | undefined;
  readonly to: RepoUrl;
  /** The branch of the mirror; `undefined`: the one that was imported, or the mirror's own. */
  readonly branch: string | undefined;
  readonly tags: 'recorded' | 'none';
  readonly extent: 'all' | 'plan only';
}
