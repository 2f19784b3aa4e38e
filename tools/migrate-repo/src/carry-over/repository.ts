import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { TreeFiles } from '../align/project.js';

/**
 * The repository with the imported packages in it, as the carry-over finds it. Unlike in the other steps all paths are from the root of the repository, because that is
 * where GitHub and git look; the project may lie in a folder of it.
 */
export interface CarryOverRepository {
  /** What lies in the folders above the imported packages, in those that tools look into, and in the imported packages; of the rest the paths at most. */
  readonly files: TreeFiles;
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  /** In the order in which they are merged. */
  readonly importedPackages: readonly ArrivedPackage[];
  /** Of all workspaces, imported packages among them. */
  readonly workspaceNames: ReadonlySet<string>;
}

/** An imported package as the carry-over sees it. */
export interface ArrivedPackage {
  readonly name: WorkspaceName;
  readonly path: RepoPath;
  /** Its symbolic links, with what is written in each. */
  readonly links: ReadonlyMap<RepoPath, string>;
  readonly submodules: readonly RepoPath[];
  /** By a commit id of the source, that of the same commit in the history that came; of commits that its files name, where there is one. */
  readonly newIds: ReadonlyMap<string, string>;
}
