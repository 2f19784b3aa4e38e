/** Something that a tool needs from the machine, the repository or the environment. */
export interface Requirement {
  /** Such as `git` or `token`. */
  readonly name: string;
  /** `missing`: the tool cannot work. `limited`: only what `hint` names cannot work. `unknown`: it could not be found out. */
  readonly state: 'ok' | 'limited' | 'missing' | 'unknown';
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it; `null` where nothing is to be done. */
  readonly hint: string | null;
}

/** As `check --json` prints it. */
export interface SetupResult {
  readonly schemaVersion: 1;
  readonly requirements: readonly Requirement[];
}
