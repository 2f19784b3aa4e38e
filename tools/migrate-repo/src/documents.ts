import type { ConfigDocument } from '@tributary/model/config-document';
import type { FailureDocument } from '@tributary/model/errors';
import type { SetupResult } from '@tributary/model/requirement';
import type { DiscardResult, StatusResult, VerifyAllResult, VerifyResult } from './result/import-result.js';
import type { ProposedRunResult } from './result/proposed-result.js';
import type { PullRequestsResult } from './result/pull-requests-result.js';
import type { InitResult, MigrateResult, SyncResult } from './result/result.js';

/** What migrate-repo reads and prints, by the name of its JSON Schema. `scripts/generate-schemas.mjs` makes the schemas from these types. */
export interface Documents {
  /** Answer of migrate-repo discard <package-or-branch> --json */
  readonly 'discard-result': DiscardResult;
  /** Failure of migrate-repo with --json */
  readonly error: FailureDocument;
  /** Answer of migrate-repo init <owner> --json */
  readonly 'init-result': InitResult;
  /** Answer of migrate-repo <packages...> --json */
  readonly 'migrate-result': MigrateResult;
  /** Answer of migrate-repo <packages...> and of migrate-repo sync with --pull-request --json */
  readonly 'proposed-result': ProposedRunResult;
  /** Answer of migrate-repo pull-requests <package> --json */
  readonly 'pull-requests-result': PullRequestsResult;
  /** Answer of migrate-repo check --json */
  readonly 'setup-result': SetupResult;
  /** Answer of migrate-repo status --json */
  readonly 'status-result': StatusResult;
  /** Answer of migrate-repo sync <package> --json */
  readonly 'sync-result': SyncResult;
  /** tributary.json */
  readonly tributary: ConfigDocument;
  /** Answer of migrate-repo verify --all --json */
  readonly 'verify-all-result': VerifyAllResult;
  /** Answer of migrate-repo verify <package> --json */
  readonly 'verify-result': VerifyResult;
}
