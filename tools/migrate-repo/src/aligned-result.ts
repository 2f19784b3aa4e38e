/** How a version changes: the first part that differs, and whether it is higher or lower. */
export interface VersionChangeResult {
  readonly from: string;
  readonly to: string;
  readonly level: 'major' | 'minor' | 'patch' | 'prerelease';
  readonly direction: 'up' | 'down';
}

/** A workspace that stands in the place of another version of itself, which was locked. */
export interface ReplacedResult {
  readonly name: string;
  readonly change: VersionChangeResult;
  /** The workspaces that had it locked, or whose dependencies had. */
  readonly for: readonly string[];
  /** The packages of the registry that ask for it; empty: the workspaces themselves ask. */
  readonly through: readonly string[];
}

/** A dependency of third parties that has several versions or ranges, or had. */
export interface DependencyResult {
  readonly name: string;
  /** Everybody who declares it, in the order of the workspaces. */
  readonly declarations: readonly DeclarationResult[];
}

export interface DeclarationResult {
  readonly workspace: string;
  readonly block: string;
  /** Whether the workspace has just come. */
  readonly isNew: boolean;
  readonly range: string;
  /** `null`: it was left as it was. */
  readonly newRange: string | null;
  /** What was locked for it, for a package that came in its own lockfile; `null`: nothing, or it is not known. */
  readonly locked: string | null;
  /** `null`: the same version as before, or it is not known. */
  readonly change: VersionChangeResult | null;
  /** Whether those who install the package from a registry may get versions that they did not get before. */
  readonly widensForConsumers: boolean;
  /** Why it kept a range of its own beside others; `null`: it did not. */
  readonly left: string | null;
  /** The policy that decided; `null`: none had to. */
  readonly policy: string | null;
}

/** What became of the requests that the packages had locked. */
export interface LockedResult {
  /** How many; the counts below add up to it. */
  readonly requests: number;
  /** In an order that does not change; without those that are zero. */
  readonly counts: readonly { readonly fate: string; readonly count: number }[];
  /** Those that have another version now. */
  readonly changed: readonly LockedChangeResult[];
}

export interface LockedChangeResult {
  /** As the lockfile has it: `lib@npm:^1.0.0`. */
  readonly request: string;
  readonly change: VersionChangeResult;
  /** Other versions that the same request had elsewhere in a lockfile of npm or pnpm. */
  readonly others: readonly string[];
  /** Which packages had it locked so. */
  readonly packages: readonly string[];
  /** Whether one of these asks so itself. */
  readonly isDirect: boolean;
  readonly fate: string;
}
