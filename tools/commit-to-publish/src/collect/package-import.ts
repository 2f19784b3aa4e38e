import type { CommitId } from '@tributary/model/ids';

/** A package that came into a repository with its history, as the import record says. */
export interface PackageImport {
  readonly package: string;
  /** What it was called where it came from, if that was another name. */
  readonly formerName: string | undefined;
  /** The merge commit with the record. */
  readonly merge: CommitId;
  readonly sourceCommit: CommitId;
  /** Where it came from, without credentials. */
  readonly source: string;
  /** How its tags for releases are called here. */
  readonly tagPatterns: readonly string[];
}
