import type { ConfigDocument } from '@tributary/model/config-document';
import type { FailureDocument } from '@tributary/model/errors';
import type { SetupResult } from '@tributary/model/requirement';
import type { GateResult } from './gate/result.js';
import type { AffectedInitResult } from './init/init-result.js';
import type { Observation } from './observe/observation.js';
import type { Plan } from './plan/plan.js';
import type { Receipt } from './receipt/receipt.js';
import type { ReportResult } from './report-only/all-runs.js';
import type { AffectedResult, CheckResult, ReplayResult, TuneResult, WhyResult } from './result.js';

/** What affected reads and prints, by the name of its JSON Schema. `scripts/generate-schemas.mjs` makes the schemas from these types. */
export interface Documents {
  /** Answer of affected --json */
  readonly 'affected-result': AffectedResult;
  /** Answer of affected check --json */
  readonly 'check-result': CheckResult;
  /** Answer of affected emit --json */
  readonly 'emit-result': EmitResult;
  /** Failure of affected with --json */
  readonly error: FailureDocument;
  /** Answer of affected gate --json */
  readonly 'gate-result': GateResult;
  /** Answer of affected init --json */
  readonly 'init-result': AffectedInitResult;
  /** Observation of affected trace */
  readonly observation: Observation;
  /** Plan of affected plan */
  readonly plan: Plan;
  /** Answer of affected report --json */
  readonly 'report-result': ReportResult;
  /** Receipt of affected run-shard */
  readonly receipt: Receipt;
  /** Answer of affected replay --json */
  readonly 'replay-result': ReplayResult;
  /** Answer of affected check --setup --json */
  readonly 'setup-result': SetupResult;
  /** Answer of affected run-shard --json */
  readonly 'shard-result': ShardResult;
  /** Answer of affected timings collect --json */
  readonly 'timings-result': TimingsResult;
  /** tributary.json */
  readonly tributary: ConfigDocument;
  /** Answer of affected tune --json */
  readonly 'tune-result': TuneResult;
  /** Answer of affected why <workspace> --json */
  readonly 'why-result': WhyResult;
}

/** A plan as the configuration of a CI engine. */
export interface EmitResult {
  readonly schemaVersion: 1;
  /** The CI engine. */
  readonly engine: string;
  /** The text that `affected emit` prints without --json, in the engine's format: YAML, JSON or variables. */
  readonly configuration: string;
}

/** The outcome of the requested shards. The exit code is 0 exactly if nothing failed. */
export interface ShardResult {
  readonly schemaVersion: 1;
  /** The receipt of each shard, as written, in the order of the request. */
  readonly receipts: readonly Receipt[];
  /** The planned pieces that failed or did not run: `@acme/ui`, or `@acme/ui (2 of 3)` for a part. */
  readonly failed: readonly string[];
}

/** The tasks whose times were added to a file of timings. */
export interface TimingsResult {
  readonly schemaVersion: 1;
  /** The file of timings, as given by --into. */
  readonly file: string;
  /** The tasks of this run, as `workspace#task`, sorted. */
  readonly collected: readonly string[];
  /** The number of tasks in the file afterwards. */
  readonly tasks: number;
}
