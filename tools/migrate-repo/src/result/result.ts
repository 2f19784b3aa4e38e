import type { ErrorCode } from '@tributary/model/errors';
import type { DependencyResult, LockedResult, ReplacedResult } from './aligned-result.js';
import type { TestsResult } from './tests-result.js';

/** The steps of the alignment, in order. Each is one commit. */
export type StepId = 'internal' | 'phantoms' | 'versions' | 'settings' | 'carry-over' | 'lockfile';

/** The kinds of decisions. `none`: everything works, and only preferences differ. */
export type Risk = 'installation' | 'requests' | 'builds' | 'code' | 'publishing' | 'versions' | 'behaviour' | 'none';

/** Why a repository is not a package to migrate. */
export type NoPackage =
  | 'archived'
  | 'fork'
  | 'this monorepo'
  | 'no package.json'
  | 'unreadable package.json'
  | 'no name'
  | 'workspaces'
  | 'name taken';

/** A message that is printed once, with everything that it applies to. */
export interface GroupedMessage {
  /** In Markdown. */
  readonly text: string;
  /** In the order of the packages; empty if the text itself names them. */
  readonly about: readonly MessageSubject[];
}

export interface MessageSubject {
  readonly package: string;
  /**
   * A setting, a file or a folder; `null` for the whole package. Paths are relative to the package's folder, or to the
   * root if the file went there.
   */
  readonly place: string | null;
  /** What is specific to this place, in Markdown. */
  readonly detail: string | null;
}

/** The output of `migrate-repo <pkg>... --json`. Schema: `schema/migrate-result.schema.json`. A change of shape needs a new version. */
export interface MigrateResult {
  readonly schemaVersion: 1;
  /** `planned` with `--dry-run`: nothing was written. */
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
  /** Workspaces that replace other, locked versions of themselves, the riskiest first; `null` with `--no-align`. */
  readonly replaced: readonly ReplacedResult[] | null;
  /** The declarations of third-party dependencies that change or need a decision, ordered by name; `null` with `--no-align`. */
  readonly dependencies: readonly DependencyResult[] | null;
  /** `null` if nothing was installed. */
  readonly locked: LockedResult | null;
  /** The text of a yarn.config.cjs that would enforce one range for each dependency and already holds; `null` with `--no-align`. */
  readonly constraint: string | null;
  /** `planned` only for a plan; `null` with `--no-align`. */
  readonly installation: 'done' | 'planned' | 'not asked for' | 'no lockfile' | null;
  /** The test results before and after; `null` for a plan. */
  readonly tests: TestsResult | null;
  readonly leftOut: readonly { readonly name: string; readonly code: ErrorCode; readonly message: string; readonly hint: string | null }[];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** The outcome of one alignment step. */
export interface AlignedStepResult {
  readonly step: StepId;
  /** `null` for a plan, or if the step changed no file. */
  readonly commit: string | null;
  readonly files: readonly string[];
  /** Changes, and information about them. */
  readonly changes: readonly GroupedMessage[];
  /** Decisions for a person, including those already made. */
  readonly decisions: readonly DecisionResult[];
}

/** A decision for a person. In Markdown. */
export interface DecisionResult {
  /** Its key under `migrate.decided` in tributary.json. */
  readonly id: string;
  /** The reason given in tributary.json; `null` if it is not decided. */
  readonly decided: string | null;
  /** What may go wrong; `none` if everything works and only preferences differ. */
  readonly risk: Risk;
  readonly text: string;
  /** What was done without an answer; `null` if the text says it. */
  readonly byDefault: string | null;
  /** The command or the line that changes it; `null` if the text says it. */
  readonly toChange: string | null;
  /** The reasons, each with the places where it applies; empty if the text itself names them. */
  readonly findings: readonly GroupedMessage[];
}

export interface PackageResult {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  readonly sourceCommit: string;
  readonly subdirectory: string | null;
  /** `covered`: a pattern of the root package.json covers it already. `added`: it gets its own entry. */
  readonly registration: 'covered' | 'added';
  readonly cleanUp: readonly { readonly path: string; readonly reason: string }[];
  readonly tags: readonly { readonly from: string; readonly to: string }[];
  /** For a subdirectory: tags that name other packages, and tags of commits from before it existed. */
  readonly leftOutTags: readonly string[];
  /** Changes in messages; `null` if there are none, as with `--exact` and `--strategy merge`. */
  readonly messages: MessagesResult | null;
  /**
   * The number of signatures of commits and tags that the new ids invalidate. Unless `messages` is `null`, they are
   * kept in separate headers.
   */
  readonly falseSignatures: number;
  /** The imported lockfile; `null` if there was none, and with `--no-align`. */
  readonly lockfile: { readonly file: string; readonly kind: 'yarn classic' | 'yarn' | 'npm' | 'pnpm' } | null;
  /** `null` for a plan. */
  readonly proof: ProofResult | null;
  readonly commits: { readonly merge: string; readonly cleanUp: string | null; readonly registration: string | null } | null;
}

export interface MessagesResult {
  /** The prefix of qualified references: `owner/repository`; `null` if it is unknown, and references are unchanged. */
  readonly repository: string | null;
  /** The number of commits with a changed message. */
  readonly changed: number;
  readonly references: number;
  /** References that are not changed, because the repository is unknown. */
  readonly unqualified: number;
  readonly closingWords: number;
  readonly mentions: number;
  readonly commitIds: number;
  /** Messages whose bytes cannot be changed. They may close issues and notify people. */
  readonly untouched: number;
  /** Up to three lines, each with a different kind of change. */
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

/** The output of `migrate-repo sync <name> --json`. */
export interface SyncResult {
  readonly schemaVersion: 1;
  /**
   * `nothing new`: the source has no new commits or tags. `planned`: with `--dry-run`; nothing was written. `tags`: the
   * source had only new tags, which were imported. `conflicts`: the merge in `worktree` needs a person. `synced`:
   * everything is on `branch`.
   */
  readonly state: 'nothing new' | 'planned' | 'tags' | 'conflicts' | 'synced';
  /** What was compared to find that; `null` with `--continue`, which does not read the source. */
  readonly compared: SyncComparison | null;
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly sourceRef: string;
  /** The last commit of the source that was imported before. */
  readonly from: string;
  /** The last commit of the source now. */
  readonly to: string;
  /** The commits here that `from` and `to` became. */
  readonly previousTip: string;
  readonly importedTip: string;
  readonly strategy: 'rewrite' | 'merge';
  /** The number of new commits. */
  readonly commits: number;
  /** The new branch; `null` if none is created. */
  readonly branch: string | null;
  /** The commit of the monorepo that the branch is built on. */
  readonly base: string;
  /** The last commit of the branch; `null` if there is none yet. */
  readonly tip: string | null;
  /** The merge commit, with the import record; `null` if there is none yet. */
  readonly merge: string | null;
  /** Imported tags, under their new names. */
  readonly tags: readonly string[];
  /** Tags that the source has moved since they were imported. They are unchanged here. */
  readonly movedTags: readonly string[];
  /** Files of the package with changes on both sides, relative to the root of the repository. */
  readonly conflicts: readonly string[];
  /** The files that the branch changes, or would change; `null` if there is no branch, or its merge conflicts. */
  readonly changed: { readonly inside: number; readonly outside: readonly string[] } | null;
  /** The work tree to resolve them in; `null` if there are no conflicts. */
  readonly worktree: string | null;
  /** As in a migration, without the decisions of the last import; `null` with `--no-align`, and if nothing is aligned yet. */
  readonly alignment: readonly AlignedStepResult[] | null;
  /** The proof of the whole history, old commits and new ones; `null` if it was not proven. */
  readonly proof: ProofResult | null;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** How a source was compared with the record of its last import. */
export interface SyncComparison {
  /** `announced`: its branch and tags, by name and id; nothing was fetched. `fetched`: its whole history, rewritten again. */
  readonly by: 'announced' | 'fetched';
  /** The number of its tags; `null` if tags were not compared. */
  readonly tags: number | null;
}

/** The output of `migrate-repo init <owner> --json`. */
export interface InitResult {
  readonly schemaVersion: 1;
  /** `nothing new`: there is nothing to write. `planned`: with `--dry-run`; nothing was written. */
  readonly state: 'nothing new' | 'planned' | 'written';
  readonly owner: string;
  /** The path of tributary.json. */
  readonly file: string;
  /** Dependencies first. */
  readonly added: readonly { readonly name: string; readonly repository: string; readonly source: string }[];
  /** Entries that exist already, and are unchanged. */
  readonly kept: readonly string[];
  readonly leftOut: readonly { readonly repository: string; readonly reason: NoPackage; readonly detail: string | null }[];
}
