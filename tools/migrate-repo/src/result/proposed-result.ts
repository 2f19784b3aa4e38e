import type { PullRequestResult } from './pull-requests-result.js';
import type { MigrateResult, SyncResult } from './result.js';

/**
 * The output of `migrate-repo <packages...>` and `migrate-repo sync` with `--pull-request --json`. Schema:
 * `schema/proposed-result.schema.json`.
 */
export interface ProposedRunResult {
  readonly schemaVersion: 1;
  /** The migration; `null` for a sync, or if the branch existed already. */
  readonly migration: MigrateResult | null;
  readonly sync: SyncResult | null;
  /** Packages that could not be migrated, if the branch of an earlier run is proposed. Those of a migration are in `migration`. */
  readonly leftOut: MigrateResult['leftOut'];
  /** `null` if there is no new branch. */
  readonly pullRequest: ProposedResult | null;
}

/** The pull request of a branch that `migrate-repo` created. */
export interface ProposedResult extends Pick<PullRequestResult, 'calls' | 'notes' | 'failure' | 'target'> {
  /** The repository's name on the forge: `acme/app`. */
  readonly repository: string;
  readonly remote: string;
  readonly branch: string;
  readonly base: string;
  /** The last commit of the branch; `null` if a plan does not know it. */
  readonly tip: string | null;
  /** For a plan, the expected state. `closed`: it was closed or merged, and is not changed. `failed`: see `failure`. */
  readonly state: 'opened' | 'updated' | 'unchanged' | 'closed' | 'failed';
  /** The command that pushes the tags, which the tool never does; `null` if there are no tags. */
  readonly pushTags: string | null;
}
