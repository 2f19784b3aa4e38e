import type { TestRun } from '../../tests/test-run.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import type { Laboratory } from './experiments.js';
import type { MigratedBranch } from './migrated.js';

/** Where causes are searched. */
export interface CauseSearch {
  readonly alone: Alone;
  readonly laboratory: Laboratory;
  readonly branch: MigratedBranch;
  /** Called before each experiment, with its description. */
  readonly onAttempt: (what: string) => void;
}

export interface FoundCauses {
  readonly causes: readonly TestCauseResult[];
  /** A run that fares well although nothing was changed: chance decides, or what was kept of an earlier run is no longer so. Then there are no causes. */
  readonly passing: TestRun | undefined;
}
