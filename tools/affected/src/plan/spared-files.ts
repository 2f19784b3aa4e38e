/** The test files of a selected workspace that need not run. */
export interface SparedFiles {
  /** By paths from the workspace, ordered. At least one. */
  readonly files: readonly string[];
  /** How many test files were observed. */
  readonly of: number;
  /** Whether others may have come since. */
  readonly hasNew: boolean;
  /** Why, as a clause. */
  readonly because: string;
}

/** `spared`: by workspace. `whole`: why all test files of the others run, as clauses, by workspace. */
export interface FileSelection {
  readonly spared: ReadonlyMap<string, SparedFiles>;
  readonly whole: ReadonlyMap<string, string>;
}
