import type { ErrorCode } from '@tributary/model/errors';
import type { StepId } from './align/messages.js';
import type { DependencyResult, LockedResult, ReplacedResult } from './aligned-result.js';
import type { GroupedMessage } from './message.js';
import type { NoPackage } from './plan/sort-repositories.js';
import type { TestsResult } from './tests-result.js';
import type { Risk } from './topics.js';

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
  /** How the tests fare before and after; `null` for a plan. */
  readonly tests: TestsResult | null;
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

/** Something that a person must decide. In Markdown. */
export interface DecisionResult {
  /** What it is called under `migrate.decided` in tributary.json. */
  readonly id: string;
  /** Why it was decided, as tributary.json says; `null`: nobody has. */
  readonly decided: string | null;
  /** What may go wrong; `none`: all works, and may be wanted in another way. */
  readonly risk: Risk;
  readonly text: string;
  /** What was done without an answer; `null`: the text says it. */
  readonly byDefault: string | null;
  /** The command or the line that changes it; `null`: the text says it. */
  readonly toChange: string | null;
  /** The reasons for it, each with the places where it holds; empty where the text itself names whom it concerns. */
  readonly findings: readonly GroupedMessage[];
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
  /** What is changed in messages; `null`: nothing, as with `--exact` and `--strategy merge`. */
  readonly messages: MessagesResult | null;
  /** Signatures of commits and tags that the new ids make false. They go into headers of their own, unless `messages` is `null`. */
  readonly falseSignatures: number;
  /** What came along; `null` where there was none, and with `--no-align`. */
  readonly lockfile: { readonly file: string; readonly kind: 'yarn classic' | 'yarn' | 'npm' | 'pnpm' } | null;
  /** `null` for a plan. */
  readonly proof: ProofResult | null;
  readonly commits: { readonly merge: string; readonly cleanUp: string | null; readonly registration: string | null } | null;
}

export interface MessagesResult {
  /** What stands in front of numbers: `owner/repository`; `null`: it is not known, so they stay as they are. */
  readonly repository: string | null;
  /** Commits whose message is changed. */
  readonly changed: number;
  readonly references: number;
  /** References that stay as they are, since the repository is not known. */
  readonly unqualified: number;
  readonly closingWords: number;
  readonly mentions: number;
  readonly commitIds: number;
  /** Messages that stay as they are, since their bytes cannot be changed; they may close issues and notify people. */
  readonly untouched: number;
  /** Up to three lines, each with another kind of change. */
  readonly samples: readonly { readonly commit: string; readonly before: string; readonly after: string }[];
}

export interface ProofResult {
  readonly method: 'inverse' | 'compared' | 'ancestor';
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  readonly tags: number;
  readonly importedTip: string;
}

/** Where an import was found, and how. */
export interface ContainedResult {
  /** The ref that was asked about: `HEAD`, or what was given with --ref. */
  readonly ref: string;
  readonly refCommit: string;
  /** The import, which carries the record. */
  readonly merge: string;
  /** The commit of the ref's own line that brought it; `null` where it lies on that line itself. */
  readonly mergedBy: string | null;
  /** `on its line`: the branch was moved forward to it; `branch of the migration`: the ref is that branch, and nothing else contains it yet. */
  readonly contained: 'merged' | 'on its line' | 'branch of the migration';
  /** The branch of the migration, where the ref is that; else `null`. */
  readonly branch: string | null;
  /** The folder that the package was moved to since; `null`: it is where it came. */
  readonly movedTo: string | null;
}

/** What `migrate-repo verify <name> --json` prints. */
export interface VerifyResult extends ContainedResult {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceCommit: string;
  /**
   * See `Proof`; `moved again`: the source was fetched, and moving it gave the same commits; `found again`: it was fetched, and has the same commits; `recorded`: for a
   * subdirectory whose source was not asked, the commits are those that the record names.
   */
  readonly method: 'inverse' | 'ancestor' | 'moved again' | 'found again' | 'recorded';
  /** What the import was compared with beside its own record; `null`: nothing. */
  readonly fetched: FetchedResult | null;
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  readonly tags: {
    readonly recorded: number;
    readonly here: number;
    readonly state: 'proven' | 'incomplete' | 'not in this clone' | 'none recorded';
  };
}

export interface FetchedResult {
  readonly source: string;
  readonly ref: string;
  /** `renamed`: the recorded branch is gone, and this is the default branch now; `chosen`: with --source-branch. */
  readonly state: 'recorded' | 'renamed' | 'chosen';
}

/** What `migrate-repo verify --all --json` prints. */
export interface VerifyAllResult {
  readonly schemaVersion: 1;
  readonly ref: string;
  readonly refCommit: string;
  /** Ordered by package. */
  readonly proven: readonly VerifyResult[];
  /** Imports of which the ref has the history, and no more the folder, because somebody took it away; ordered by package. */
  readonly removed: readonly RemovedImport[];
  /** Imports that could not be proven, and what the ref has lost; ordered by package. */
  readonly failed: readonly FailedProof[];
}

export interface RemovedImport {
  readonly name: string;
  readonly path: string;
  /** The import, which carries the record. */
  readonly merge: string;
  /** The commit that took the folder away. */
  readonly by: string;
}

export interface FailedProof {
  /** `null`: the record cannot be read, and does not say. */
  readonly name: string | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
}

/** What `migrate-repo status --json` prints. */
export interface StatusResult {
  readonly schemaVersion: 1;
  /** `shallow`: the clone ends somewhere, so there may be imports that it cannot show. */
  readonly extent: 'whole' | 'shallow';
  readonly imports: readonly ImportStatus[];
  /** Syncs that wait in a work tree of this clone for a person. */
  readonly openSyncs: readonly OpenSyncStatus[];
  /** Packages of which HEAD has commits that followed their import, and no import. */
  readonly orphans: readonly { readonly name: string; readonly commit: string }[];
  readonly unreadable: readonly { readonly merge: string; readonly problem: string }[];
}

/** A sync that a person has to finish. */
export interface OpenSyncStatus {
  readonly name: string;
  readonly branch: string;
  readonly worktree: string;
  /** `conflicts`: the merge is not committed. `committed`: it is, and `sync --continue` comes next. */
  readonly state: 'conflicts' | 'committed';
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
  /** Another branch that contains it; `null`: none, or HEAD does. */
  readonly branch: string | null;
  /**
   * What has become of it on HEAD. `merged`: HEAD contains it. `removed`: and its folder is gone since. `superseded`: a later import brought what is in the folder. `replaced`:
   * a commit that is no import did. `waiting`: on another branch. The rest: HEAD has the files, and the history is lost.
   */
  readonly state: 'merged' | 'removed' | 'superseded' | 'replaced' | 'waiting' | 'squashed' | 'rebased' | 'rewritten' | 'copied';
  /** The commit that did this; `null` for `merged` and `waiting`. */
  readonly by: string | null;
  /** The folder that the package was moved to since; `null`: it is where it came. */
  readonly movedTo: string | null;
  /** The branch of the source that was asked because the recorded one is gone; `null`: that one was asked, or nothing. */
  readonly askedRef: string | null;
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

/** What `migrate-repo sync <name> --json` prints. */
export interface SyncResult {
  readonly schemaVersion: 1;
  /**
   * `nothing new`: the source has gained no commit and no tag. `planned`: with `--dry-run`; nothing was written. `tags`: it has gained tags alone, and they came. `conflicts`: the
   * merge waits in `worktree` for a person. `synced`: all is on `branch`.
   */
  readonly state: 'nothing new' | 'planned' | 'tags' | 'conflicts' | 'synced';
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  /** The last commit of the source that was here already. */
  readonly from: string;
  /** The last commit of the source now. */
  readonly to: string;
  /** What `from` and `to` became here. */
  readonly previousTip: string;
  readonly importedTip: string;
  readonly strategy: 'rewrite' | 'merge';
  /** Commits that the import gains. */
  readonly commits: number;
  /** The new branch; `null`: there is none to be made. */
  readonly branch: string | null;
  /** The commit of the monorepo that the branch is built on. */
  readonly base: string;
  /** The last commit of the branch; `null`: there is none yet. */
  readonly tip: string | null;
  /** The merge commit, which carries the record; `null`: there is none yet. */
  readonly merge: string | null;
  /** Tags that come along, under their new names. */
  readonly tags: readonly string[];
  /** Tags that the source has moved since they came. They stay here as they were. */
  readonly movedTags: readonly string[];
  /** Files of the package that both sides have changed, from the root of the repository. */
  readonly conflicts: readonly string[];
  /** Where they wait to be resolved; `null`: nothing does. */
  readonly worktree: string | null;
  /** As in a migration, without the decisions that the last import asked; `null` with `--no-align`, and where nothing is aligned yet. */
  readonly alignment: readonly AlignedStepResult[] | null;
  /** How the whole history was proven, old commits and new ones; `null`: it was not. */
  readonly proof: ProofResult | null;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** What `migrate-repo mirror <name> --json` prints. */
export interface MirrorResult {
  readonly schemaVersion: 1;
  /** `up to date`: the mirror has everything. `planned`: with `--dry-run`; nothing was pushed. */
  readonly state: 'up to date' | 'planned' | 'pushed';
  readonly name: string;
  readonly path: string;
  /** Its address, without credentials. */
  readonly mirror: string;
  /** The ref of the mirror. */
  readonly ref: string;
  /** The commit of the monorepo that is mirrored. */
  readonly head: string;
  /** The last commit of the mirror before; `null`: there was none. */
  readonly from: string | null;
  /** The last commit of the mirror now. */
  readonly tip: string;
  /** Commits that the mirror gains. */
  readonly commits: number;
  /** Tags that it gains, under their original names. */
  readonly tags: readonly string[];
  /** Tags of the import that it does not get, as they are called here. */
  readonly leftOutTags: readonly string[];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** What `migrate-repo init <owner> --json` prints. */
export interface InitResult {
  readonly schemaVersion: 1;
  /** `nothing new`: there is nothing to be written. `planned`: with `--dry-run`; nothing was. */
  readonly state: 'nothing new' | 'planned' | 'written';
  readonly owner: string;
  /** The path of tributary.json. */
  readonly file: string;
  /** Dependencies first. */
  readonly added: readonly { readonly name: string; readonly repository: string; readonly source: string }[];
  /** Names that stand there already, and stay as they are. */
  readonly kept: readonly string[];
  readonly leftOut: readonly { readonly repository: string; readonly reason: NoPackage; readonly detail: string | null }[];
}
