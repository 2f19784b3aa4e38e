import type { CommitId } from '@tributary/model/ids';
import type { Landings } from './landings.js';
import type { MainLine } from './main-line.js';

/** A package that was imported with its history, according to its import record. */
export interface PackageImport {
  readonly package: string;
  /** Its name in the source, if that was different. */
  readonly formerName: string | undefined;
  /** The merge commit with the record. */
  readonly merge: CommitId;
  /** The last commit of the imported history, with its id in this repository. */
  readonly tip: CommitId;
  readonly sourceCommit: CommitId;
  /** The source repository, without credentials. */
  readonly source: string;
  /** The names of its release tags in this repository. */
  readonly tagPatterns: readonly string[];
}

/** Returns the index of the main-line commit that imported it; `undefined` if its history is missing, as after a squash. */
export function landingOf(
  { merge, tip }: PackageImport,
  { positions }: Pick<MainLine, 'positions'>,
  landings: Landings,
): number | undefined {
  return positions.get(merge) ?? landings.get(tip);
}
