import type { ErrorCode } from '@tributary/model/errors';
import type { StepId } from './align/messages.js';
import type { DependencyResult, LockedResult, ReplacedResult } from './aligned-result.js';
import type { GroupedMessage } from './message.js';

/** What `migrate-repo <pkg>... --json` prints. Schema: `schema/migrate-result.schema.json`; a change of shape is a new version. */
export interface MigrateResult {
  readonly schemaVersion: 1;
  /** `planned` with `--dry-run`; nothing was written then. */
  readonly state: 'planned' | 'migrated';
  readonly branch: string;
  /** The commit of the monorepo that the branch is built on. */
  readonly base: string;
  /** The last commit of the branch; `null` for a plan. */
  readonly tip: string | null;
  readonly strategy: 'rewrite' | 'merge';
  readonly packages: readonly PackageResult[];
  /** How the packages were aligned with the monorepo, or would be, in the order of the steps; `null` with `--no-align`. */
  readonly alignment: readonly AlignedStepResult[] | null;
  /** Workspaces in the place of other versions of themselves that were locked, the riskiest first; `null` with `--no-align`. */
  readonly replaced: readonly ReplacedResult[] | null;
  /** Who declares what of third parties, where something changes or is to be decided, in the order of names; `null` with `--no-align`. */
  readonly dependencies: readonly DependencyResult[] | null;
  /** `null`: nothing was installed. */
  readonly locked: LockedResult | null;
  /** The text of a yarn.config.cjs that would keep one range of each dependency, and holds as things are; `null` with `--no-align`. */
  readonly constraint: string | null;
  /** `planned`: only for a plan; `null` with `--no-align`. */
  readonly installation: 'done' | 'planned' | 'not asked for' | 'no lockfile' | null;
  readonly leftOut: readonly { readonly name: string; readonly code: ErrorCode; readonly message: string; readonly hint: string | null }[];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** What one step of the alignment did. */
export interface AlignedStepResult {
  readonly step: StepId;
  /** `null`: it changed nothing and has something to say, or this is a plan. */
  readonly commit: string | null;
  readonly files: readonly string[];
  /** What was changed, and what is worth knowing. */
  readonly changes: readonly GroupedMessage[];
  /** What a person must decide, or has decided before. */
  readonly decisions: readonly DecisionResult[];
}

/** Something that a person must decide. */
export interface DecisionResult extends GroupedMessage {
  /** What it is called under `migrate.decided` in tributary.json. */
  readonly id: string;
  /** Why it was decided, as tributary.json says; `null`: nobody has. */
  readonly decided: string | null;
}

export interface PackageResult {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  readonly sourceCommit: string;
  readonly subdirectory: string | null;
  /** `covered`: a pattern of the root package.json holds it already; `added`: it gets an entry of its own. */
  readonly registration: 'covered' | 'added';
  readonly cleanUp: readonly { readonly path: string; readonly reason: string }[];
  readonly tags: readonly { readonly from: string; readonly to: string }[];
  /** For a subdirectory: tags that name other packages, and tags of commits from before it existed. */
  readonly leftOutTags: readonly string[];
  /** What came along; `null` where there was none, and with `--no-align`. */
  readonly lockfile: { readonly file: string; readonly kind: 'yarn classic' | 'yarn' | 'npm' | 'pnpm' } | null;
  /** `null` for a plan. */
  readonly proof: ProofResult | null;
  readonly commits: { readonly merge: string; readonly cleanUp: string | null; readonly registration: string | null } | null;
}

export interface ProofResult {
  readonly method: 'inverse' | 'compared' | 'ancestor';
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  readonly tags: number;
  readonly importedTip: string;
}

/** What `migrate-repo verify <name> --json` prints. */
export interface VerifyResult {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceCommit: string;
  readonly merge: string;
  /** See `Proof`; `moved again`: the source was fetched, and moving it gave the same commits. */
  readonly method: 'inverse' | 'ancestor' | 'moved again';
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  readonly tags: {
    readonly recorded: number;
    readonly here: number;
    readonly state: 'proven' | 'incomplete' | 'not in this clone' | 'none recorded';
  };
}

/** What `migrate-repo status --json` prints. */
export interface StatusResult {
  readonly schemaVersion: 1;
  /** `shallow`: the clone ends somewhere, so there may be imports that it cannot show. */
  readonly extent: 'whole' | 'shallow';
  readonly imports: readonly ImportStatus[];
  readonly unreadable: readonly { readonly merge: string; readonly problem: string }[];
}

export interface ImportStatus {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  readonly sourceCommit: string;
  readonly strategy: 'rewrite' | 'merge';
  /** The import, which carries the record. */
  readonly merge: string;
  /** The commit of HEAD's own line that brought it: `null` where a branch was moved forward to it, or HEAD does not contain it. */
  readonly mergedBy: string | null;
  /** `null`: HEAD contains it. */
  readonly branch: string | null;
  readonly news: SourceNews;
}

/** What has happened in the source since. */
export type SourceNews =
  | { readonly state: 'none' }
  | { readonly state: 'commits'; readonly count: number; readonly tip: string }
  /** The source's branch no longer contains what was imported. */
  | { readonly state: 'rewritten'; readonly tip: string }
  | { readonly state: 'unknown'; readonly why: string };

/** What `migrate-repo discard <name> --json` prints. */
export interface DiscardResult {
  readonly schemaVersion: 1;
  /** `null`: there was none, only what a run that failed had fetched. */
  readonly branch: string | null;
  readonly packages: readonly string[];
  readonly tags: readonly string[];
  /** Tags that look like those of the import and are not the ones that came; they stay. */
  readonly keptTags: readonly string[];
  /** The packages of which something was kept that a run had fetched, and is no more. */
  readonly fetched: readonly string[];
}
