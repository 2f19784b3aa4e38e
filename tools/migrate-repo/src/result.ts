import type { ErrorCode } from '@tributary/model/errors';
import type { StepId } from './align/messages.js';

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
  /** How the packages were aligned with the monorepo, in the order of the steps; `null` for a plan, and with `--no-align`. */
  readonly alignment: readonly AlignedStepResult[] | null;
  readonly leftOut: readonly { readonly name: string; readonly code: ErrorCode; readonly message: string; readonly hint: string | null }[];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** What one step of the alignment did. */
export interface AlignedStepResult {
  readonly step: StepId;
  /** `null`: it changed nothing, and has something to say. */
  readonly commit: string | null;
  readonly files: readonly string[];
  /** In Markdown: what was changed, and what is worth knowing. */
  readonly changes: readonly string[];
  /** In Markdown: what a person must decide. */
  readonly decisions: readonly string[];
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
  readonly merge: string;
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
  readonly branch: string;
  readonly packages: readonly string[];
  readonly tags: readonly string[];
  /** Tags that look like those of the import and are not the ones that came; they stay. */
  readonly keptTags: readonly string[];
}
