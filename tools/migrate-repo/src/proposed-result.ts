import type { PullRequestResult } from './pull-requests-result.js';
import type { MigrateResult, SyncResult } from './result.js';

/** What `migrate-repo <packages...>` and `migrate-repo sync` print with `--pull-request --json`. Schema: `schema/proposed-result.schema.json`. */
export interface ProposedRunResult {
  readonly schemaVersion: 1;
  /** What came before; `null`: the branch was there already, or this was a sync. */
  readonly migration: MigrateResult | null;
  readonly sync: SyncResult | null;
  /** `null`: there is no new branch. */
  readonly pullRequest: ProposedResult | null;
}

/** A branch of `migrate-repo`, as a pull request of the monorepo. */
export interface ProposedResult extends Pick<PullRequestResult, 'calls' | 'notes' | 'failure' | 'target'> {
  /** On the forge: `acme/app`. */
  readonly repository: string;
  readonly remote: string;
  readonly branch: string;
  readonly base: string;
  /** The last commit of the branch; `null` where a plan does not know it. */
  readonly tip: string | null;
  /** As of a plan, what would come. `closed`: it was closed or merged, and is left alone. `failed`: see `failure`. */
  readonly state: 'opened' | 'updated' | 'unchanged' | 'closed' | 'failed';
  /** The command that pushes the tags, which the tool never does; `null`: none came. */
  readonly pushTags: string | null;
}
