import type { CommitId } from './ids.js';
import type { RepoPath } from './paths.js';

/** A file that differs between two commits. A moved file counts as two: the old name deleted, the new one added. */
export interface ChangedFile {
  /** Path from the root of the git repository, as git stores it. It may contain characters that `parseRepoPath` rejects. */
  readonly path: RepoPath;
  /** A change of only the mode or the type is `modified`. */
  readonly status: 'added' | 'modified' | 'deleted';
  /** Type at the head; for a deleted file, its last type. */
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** Set if git reports that only the mode or the type changed. */
  readonly content?: 'same';
}

/** The files that changed between merge base and head, in git's order, each path once. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** The requested base; `null` if only file names are known (`--files-from` alone). */
  readonly base: CommitId | null;
  readonly head: CommitId;
  /** The merge base of `base` and `head`, from which `files` counts. `null` if there is none or this clone lacks it. */
  readonly mergeBase: CommitId | null;
}

/** The codes for why an answer selects every workspace. The list is closed: a reader of `--json` may switch over it. */
export const ALL_CODES = [
  'BASE_UNKNOWN',
  'BASE_IS_HEAD',
  'BASE_UNREADABLE',
  'BASE_REWRITTEN',
  'NO_MERGE_BASE',
  'HISTORY_SHALLOW',
  'HEAD_UNRELATED',
  'API_INCOMPLETE',
  'FILES_UNKNOWN',
  'CONFIG_CHANGED',
  'RULE',
  'FILE_UNCLAIMED',
  'ROOT_MANIFEST_CHANGED',
  'ROOT_DEPENDENCY_CHANGED',
  'YARN_SETTING_CHANGED',
  'SETTINGS_UNREADABLE',
  'LOCKFILE_CLASSIC',
  'LOCKFILE_MISSING',
  'LOCKFILE_UNREADABLE',
  'LOCKFILE_UNKNOWN',
  'SUBMODULE',
  'SOURCES_MISSING',
  'FAILED',
] as const;

export type AllCode = (typeof ALL_CODES)[number];

/** Why every workspace is selected. */
export interface AllReason {
  readonly code: AllCode;
  /** One sentence for people. It names the file or the key. */
  readonly reason: string;
  /** The file of the rule, or the dependency of the root manifest, that caused it. */
  readonly subject?: string;
}
