import type { CommitId } from './ids.js';
import type { RepoPath } from './paths.js';

/** One file that differs between two commits. A move is two of them: the old name deleted, the new one added. */
export interface ChangedFile {
  /** From the root of the git repository, as git stores it: it may hold characters that `parseRepoPath` refuses. */
  readonly path: RepoPath;
  /** A change of the mode or the type alone is `modified`. */
  readonly status: 'added' | 'modified' | 'deleted';
  /** What it is at the head; for a deleted one, what it was. */
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** Where git says that only the mode or the type changed. */
  readonly content?: 'same';
}

/** The files between the merge base and the head: in the order of git, each path once. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** The commit they were asked to be compared with; `null` where only names are known (`--files-from` alone). */
  readonly base: CommitId | null;
  readonly head: CommitId;
  /** Where head left base: what `files` really counts from. `null` where there is none or it is not in this clone. */
  readonly mergeBase: CommitId | null;
}

/** Why an answer had to widen to all workspaces. Closed: a reader of `--json` may switch over it. */
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
  'FAILED',
] as const;

export type AllCode = (typeof ALL_CODES)[number];

/** The one reason why everything must be tested. */
export interface AllReason {
  readonly code: AllCode;
  /** One sentence for people, with the file or the key. */
  readonly reason: string;
  /** The file of a rule, or the dependency of the root, that it is about. */
  readonly subject?: string;
}
