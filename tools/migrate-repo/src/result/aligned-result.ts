/** A change of version: the first part that differs, and its direction. */
export interface VersionChangeResult {
  readonly from: string;
  readonly to: string;
  readonly level: 'major' | 'minor' | 'patch' | 'prerelease';
  readonly direction: 'up' | 'down';
}

/** A workspace that replaces another version of itself that was locked. */
export interface ReplacedResult {
  readonly name: string;
  readonly change: VersionChangeResult;
  /** The workspaces that had it locked, or whose dependencies had. */
  readonly for: readonly string[];
  /** The registry packages that require it; empty if the workspaces themselves do. */
  readonly through: readonly string[];
}

/** A third-party dependency that has several versions or ranges, or had. */
export interface DependencyResult {
  readonly name: string;
  /** Every declaration, in the order of the workspaces. */
  readonly declarations: readonly DeclarationResult[];
}

export interface DeclarationResult {
  readonly workspace: string;
  readonly block: string;
  /** Whether this run imported the workspace. */
  readonly isNew: boolean;
  readonly range: string;
  /** `null` if it is unchanged. */
  readonly newRange: string | null;
  /** The version that an imported package's own lockfile had; `null` if none or unknown. */
  readonly locked: string | null;
  /** `null` if the version is the same or unknown. */
  readonly change: VersionChangeResult | null;
  /** Whether users who install the package from a registry may now get versions that they did not get before. */
  readonly widensForConsumers: boolean;
  /** Why it kept a range that differs from others; `null` if it did not. */
  readonly left: string | null;
  /** The policy that decided; `null` if no decision was needed. */
  readonly policy: string | null;
}

/** What became of the locked requests of the imported packages. */
export interface LockedResult {
  /** The number of requests. The counts below add up to it. */
  readonly requests: number;
  /** In a fixed order, without zeros. */
  readonly counts: readonly { readonly fate: string; readonly count: number }[];
  /** Requests that now have another version. */
  readonly changed: readonly LockedChangeResult[];
}

export interface LockedChangeResult {
  /** As in the lockfile: `lib@npm:^1.0.0`. */
  readonly request: string;
  readonly change: VersionChangeResult;
  /** Other versions that the same request had elsewhere in a lockfile of npm or pnpm. */
  readonly others: readonly string[];
  /** The packages that had this version locked. */
  readonly packages: readonly string[];
  /** Whether one of these packages has the request in its own manifest. */
  readonly isDirect: boolean;
  readonly fate: string;
}
