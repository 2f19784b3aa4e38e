/** Something that a tool needs from the machine, the repository or the environment. */
export interface Requirement {
  /** Such as `git` or `token`. */
  readonly name: string;
  /** `missing`: the tool cannot work. `limited`: only what `hint` names does not work. `unknown`: could not be determined. */
  readonly state: 'ok' | 'limited' | 'missing' | 'unknown';
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it; `null` if nothing is needed. */
  readonly hint: string | null;
}

/** The document that `check --json` prints. */
export interface SetupResult {
  readonly schemaVersion: 1;
  readonly requirements: readonly Requirement[];
}
