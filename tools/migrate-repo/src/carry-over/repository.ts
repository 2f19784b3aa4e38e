import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { TreeFiles } from '../align/project.js';

/**
 * The repository with the imported packages, as the carry-over sees it. Unlike in other steps, all paths are relative
 * to the root of the repository, because GitHub and git look there. The project may be in a subfolder.
 */
export interface CarryOverRepository {
  /** The imported packages, the folders above them, and folders that tools read. For other files, at most the paths are known. */
  readonly files: TreeFiles;
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  /** In merge order. */
  readonly importedPackages: readonly CarriedPackage[];
  /** The names of all workspaces, including imported packages. */
  readonly workspaceNames: ReadonlySet<string>;
}

/** An imported package as the carry-over sees it. */
export interface CarriedPackage {
  readonly name: WorkspaceName;
  readonly path: RepoPath;
  /** Its symbolic links, with their targets. */
  readonly links: ReadonlyMap<RepoPath, string>;
  readonly submodules: readonly RepoPath[];
  /** The address of its source, which relative addresses of submodules start from; `undefined` for a folder of this machine. */
  readonly source: string | undefined;
  /** Maps commit ids of the source to the imported ones, for commits that its files name. */
  readonly newIds: ReadonlyMap<string, string>;
  /** What applied to it from the root of its former repository; `undefined` if it was that root itself. */
  readonly formerRoot?: FormerRootRules | undefined;
}

/** Rules that applied to an imported package from the root of its former repository. */
export interface FormerRootRules {
  /** Files that lay there, and that the steps see in the package's folder. */
  readonly inherited: ReadonlySet<RepoPath>;
  /** Patterns of .gitignore, relative to the package's folder. */
  readonly ignored: readonly string[];
  /** Lines of .gitattributes, relative to the package's folder. */
  readonly attributes: readonly string[];
  /** Settings that tools found there. */
  readonly settings: readonly string[];
  /** Its scripts that may have built or tested the package, which has none of their names: `"build": "tsc -b"`. */
  readonly scripts?: readonly string[];
  /** The names of its workflows. */
  readonly workflows?: readonly string[];
}
