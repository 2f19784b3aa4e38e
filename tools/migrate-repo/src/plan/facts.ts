import type { ObjectFormat } from '@tributary/git/object-id';
import type { ListedFile } from '@tributary/git/parse';
import type { ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId, RefName, WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';

/** What is known of the monorepo. All of it comes from one commit and the refs; the work tree and the index say nothing here. */
export interface TargetFacts {
  readonly format: ObjectFormat;
  /** The commit that the branch is built on. */
  readonly head: CommitId;
  readonly headTree: ObjectId;
  /** The folder of the root package.json inside the repository. */
  readonly root: RepoFolder;
  readonly rootManifestText: string;
  readonly workspaces: readonly Workspace[];
  /** Every file of `head`, from the repository's root. */
  readonly files: readonly ListedFile[];
  readonly refs: ReadonlySet<string>;
}

/** Who commits, each as `name <address> seconds zone`. */
export interface Identity {
  readonly author: string;
  readonly committer: string;
}

/** What is to be migrated, and from where. */
export interface SourceRequest {
  readonly name: WorkspaceName;
  readonly url: RepoUrl;
  /** `undefined`: the source's own default. */
  readonly branch: string | undefined;
  readonly subdirectory: RepoPath | undefined;
  /** Where it goes, if not by the pattern. From the folder of the root package.json. */
  readonly path: RepoPath | undefined;
}

/** What is known of a source after it was fetched. */
export interface SourceFacts {
  readonly request: SourceRequest;
  /** `refs/heads/main`, or `HEAD` where the source's HEAD is on no branch. */
  readonly ref: RefName | 'HEAD';
  readonly tip: CommitId;
  readonly manifest: Manifest;
  /** What stands at the top of the imported folder. */
  readonly topFiles: readonly ListedFile[];
  /** Ordered by name. `target`: what a tag object leads to. */
  readonly tags: readonly { readonly name: string; readonly id: ObjectId; readonly target?: ObjectId | undefined }[];
}

/** A package that is not migrated, and why. */
export interface LeftOut {
  readonly name: WorkspaceName;
  readonly error: ToolError;
}
