import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Files } from '../align/project.js';

/**
 * The repository with the newcomers in it, as the carry-over finds it. Unlike in the other steps all paths are from the root of the repository, because that is
 * where GitHub and git look; the project may lie in a folder of it.
 */
export interface Repository {
  /** What lies in the folders above the newcomers, in those that tools look into, and in the newcomers; of the rest the paths at most. */
  readonly files: Files;
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  /** In the order in which they are merged. */
  readonly newcomers: readonly ArrivedPackage[];
  /** Of all workspaces, newcomers among them. */
  readonly workspaceNames: ReadonlySet<string>;
}

/** A newcomer as the carry-over sees it. */
export interface ArrivedPackage {
  readonly name: WorkspaceName;
  readonly path: RepoPath;
  /** Its symbolic links, with what is written in each. */
  readonly links: ReadonlyMap<RepoPath, string>;
  readonly submodules: readonly RepoPath[];
  /** By a commit id of the source, that of the same commit in the history that came; of commits that its files name, where there is one. */
  readonly newIds: ReadonlyMap<string, string>;
}
