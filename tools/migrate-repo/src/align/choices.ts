/** What a team has decided once for all migrations, in the block `migrate` of tributary.json. */
export interface AlignChoices {
  readonly internal: InternalChoices;
  readonly versions: VersionChoices;
}

export interface InternalChoices {
  /** What a range between workspaces becomes: `workspace:^`, `workspace:~` or `workspace:*`. */
  readonly range: string;
  /** `admitted`: only where the range that stood there admits the local version; `all`: the others too. */
  readonly convert: 'admitted' | 'all';
}

/** What becomes of a dependency whose ranges in the workspace exclude each other. `report`: nothing, a person decides. */
export type VersionPolicy = 'report' | 'highest' | 'workspace';

export interface VersionChoices {
  readonly policy: VersionPolicy;
  /** By the name of a package; `keep`: several versions are wanted, and nothing is said of them. */
  readonly exceptions: ReadonlyMap<string, VersionPolicy | 'keep'>;
}

export const DEFAULT_CHOICES: AlignChoices = {
  internal: { range: 'workspace:^', convert: 'admitted' },
  versions: { policy: 'report', exceptions: new Map() },
};
