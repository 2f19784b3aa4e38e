import type { CommitId } from '@tributary/model/ids';
import type { Landings } from './landings.js';
import type { MainLine } from './main-line.js';

/** A package that came into a repository with its history, as the import record says. */
export interface PackageImport {
  readonly package: string;
  /** What it was called where it came from, if that was another name. */
  readonly formerName: string | undefined;
  /** The merge commit with the record. */
  readonly merge: CommitId;
  /** The last commit of the history that came, as it is here. */
  readonly tip: CommitId;
  readonly sourceCommit: CommitId;
  /** Where it came from, without credentials. */
  readonly source: string;
  /** How its tags for releases are called here. */
  readonly tagPatterns: readonly string[];
}

/** The place of the commit of the main line that brought it; `undefined` where its history is not there, as in a branch that was squashed. */
export function landingOf({ merge, tip }: PackageImport, { places }: Pick<MainLine, 'places'>, landings: Landings): number | undefined {
  return places.get(merge) ?? landings.get(tip);
}
