import type { ObjectFormat } from '@tributary/git/object-id';
import type { ListedFile } from '@tributary/git/parse';
import type { ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId, RefName, WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';

/** What is known of the monorepo, from one commit and the refs. The work tree and the index do not matter. */
export interface TargetFacts {
  readonly format: ObjectFormat;
  /** The commit that the branch is built on. */
  readonly head: CommitId;
  readonly headTree: ObjectId;
  /** The folder of the root package.json inside the repository. */
  readonly root: RepoFolder;
  readonly rootManifestText: string;
  readonly workspaces: readonly Workspace[];
  /** Every file of `head`, relative to the repository's root. */
  readonly files: readonly ListedFile[];
  readonly refs: ReadonlySet<string>;
}

/** Author and committer, each as `name <address> seconds zone`. */
export interface Identity {
  readonly author: string;
  readonly committer: string;
}

/** What to migrate, and from where. */
export interface SourceRequest {
  readonly name: WorkspaceName;
  readonly url: RepoUrl;
  /** `undefined`: the source's default branch. */
  readonly branch: string | undefined;
  readonly subdirectory: RepoPath | undefined;
  /** Its target folder, if it does not follow from the pattern. Relative to the folder of the root package.json. */
  readonly path: RepoPath | undefined;
}

/** A tag of a source. */
export interface FoundTag {
  readonly name: string;
  readonly id: ObjectId;
  /** The object that a tag object points to. */
  readonly target?: ObjectId | undefined;
  /** `missing`: of a whole repository, its commit has no package.json. */
  readonly manifest?: 'missing' | undefined;
  /** For a subdirectory: what its package.json says at the tag's commit; `undefined` if there is none that can be read. */
  readonly release?: { readonly name: string | undefined; readonly version: string | undefined } | undefined;
}

/** What is known of a source after the fetch. */
export interface SourceFacts {
  readonly request: SourceRequest;
  /** `refs/heads/main`, or `HEAD` if the source's HEAD is detached. */
  readonly ref: RefName | 'HEAD';
  readonly tip: CommitId;
  readonly manifest: Manifest;
  /** Every file of the imported folder, at any depth. */
  readonly files: readonly ListedFile[];
  /** Ordered by name. */
  readonly tags: readonly FoundTag[];
}

/** A package that is not migrated, with the reason. */
export interface LeftOutPackage {
  readonly name: WorkspaceName;
  readonly error: ToolError;
}
