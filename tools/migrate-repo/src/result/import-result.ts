import type { ErrorCode } from '@tributary/model/errors';

/** Where an import was found, and how the ref contains it. */
export interface ContainedImport {
  /** The requested ref: `HEAD`, or the one from --ref. */
  readonly ref: string;
  readonly refCommit: string;
  /** The import's merge commit, with the import record. */
  readonly merge: string;
  /** The commit on the ref's first-parent line that brought it; `null` if the import itself is on that line. */
  readonly mergedBy: string | null;
  /**
   * `on its line`: the branch was fast-forwarded to it. `branch of the migration`: the ref is that branch, and nothing
   * else contains the import yet.
   */
  readonly contained: 'merged' | 'on its line' | 'branch of the migration';
  /** The migration's branch if the ref is that branch; else `null`. */
  readonly branch: string | null;
  /** The folder that the package has since been moved to; `null` if it was not moved. */
  readonly movedTo: string | null;
}

/** The output of `migrate-repo verify <name> --json`. */
export interface VerifyResult extends ContainedImport {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceCommit: string;
  /**
   * The kind of proof. `moved again`: the source was fetched, and moving it reproduced the same commits.
   * `found again`: the source was fetched, and has the same commits. `recorded`: for a subdirectory whose source was
   * not fetched; the commits match the import record.
   */
  readonly method: 'inverse' | 'ancestor' | 'moved again' | 'found again' | 'recorded';
  /** The source that the import was compared with, besides its own record; `null` if none. */
  readonly fetched: FetchedResult | null;
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  readonly tags: {
    readonly recorded: number;
    readonly here: number;
    readonly state: 'proven' | 'incomplete' | 'not in this clone' | 'none recorded';
  };
}

export interface FetchedResult {
  readonly source: string;
  readonly ref: string;
  /** `renamed`: the recorded branch no longer exists, and this is the default branch now. `chosen`: by --source-branch. */
  readonly state: 'recorded' | 'renamed' | 'chosen';
}

/** The output of `migrate-repo verify --all --json`. */
export interface VerifyAllResult {
  readonly schemaVersion: 1;
  readonly ref: string;
  readonly refCommit: string;
  /** Ordered by package. */
  readonly proven: readonly VerifyResult[];
  /** Imports whose history the ref contains, but whose folder was removed; ordered by package. */
  readonly removed: readonly RemovedImport[];
  /** Imports that could not be proven, and those that the ref has lost; ordered by package. */
  readonly failed: readonly FailedProof[];
}

export interface RemovedImport {
  readonly name: string;
  readonly path: string;
  /** The import's merge commit, with the import record. */
  readonly merge: string;
  /** The commit that removed the folder. */
  readonly by: string;
}

export interface FailedProof {
  /** `null` if the record cannot be read and does not name the package. */
  readonly name: string | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
}

/** The output of `migrate-repo status --json`. */
export interface StatusResult {
  readonly schemaVersion: 1;
  /** `shallow`: the clone lacks early history, so there may be imports that it cannot show. */
  readonly extent: 'whole' | 'shallow';
  readonly imports: readonly ImportStatus[];
  /** Syncs in a work tree of this clone that need a person. */
  readonly openSyncs: readonly OpenSyncStatus[];
  /** Packages of which HEAD has commits that followed an import, but not the import. */
  readonly orphans: readonly { readonly name: string; readonly commit: string }[];
  readonly unreadable: readonly { readonly merge: string; readonly problem: string }[];
}

/** A sync that a person must finish. */
export interface OpenSyncStatus {
  readonly name: string;
  readonly branch: string;
  readonly worktree: string;
  /** `conflicts`: the merge is not committed. `committed`: it is, and `sync --continue` is next. */
  readonly state: 'conflicts' | 'committed';
}

export interface ImportStatus {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  readonly sourceCommit: string;
  readonly strategy: 'rewrite' | 'merge';
  /** The import's merge commit, with the import record. */
  readonly merge: string;
  /** The commit on HEAD's first-parent line that brought it; `null` if a branch was fast-forwarded to it, or HEAD does not contain it. */
  readonly mergedBy: string | null;
  /** Another branch that contains it; `null` if there is none, or HEAD does. */
  readonly branch: string | null;
  /**
   * Its state on HEAD. `merged`: HEAD contains it. `removed`: HEAD contains it, but its folder was removed.
   * `superseded`: the folder comes from a later import. `replaced`: the folder comes from a commit that is not an
   * import. `waiting`: only another branch contains it. The others: HEAD has the files, but the history is lost.
   */
  readonly state: 'merged' | 'removed' | 'superseded' | 'replaced' | 'waiting' | 'squashed' | 'rebased' | 'rewritten' | 'copied';
  /** The commit that caused this state; `null` for `merged` and `waiting`. */
  readonly by: string | null;
  /** The folder that the package has since been moved to; `null` if it was not moved. */
  readonly movedTo: string | null;
  /**
   * The branch of the source that was checked because the recorded one no longer exists; `null` if the recorded one was
   * checked, or none.
   */
  readonly askedRef: string | null;
  readonly news: SourceNews;
}

/** New commits in the source since the import. */
export type SourceNews =
  | { readonly state: 'none' }
  | { readonly state: 'commits'; readonly count: number; readonly tip: string }
  /** The source's branch no longer contains what was imported. */
  | { readonly state: 'rewritten'; readonly tip: string }
  | { readonly state: 'unknown'; readonly why: string };

/** The output of `migrate-repo discard <name> --json`. */
export interface DiscardResult {
  readonly schemaVersion: 1;
  readonly branch: string;
  readonly packages: readonly string[];
  readonly tags: readonly string[];
  /** Tags with the names of the import's tags that now hold something else. They are kept. */
  readonly keptTags: readonly string[];
}
