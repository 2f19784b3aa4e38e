import type { Alone } from './alone.js';
import type { Laboratory } from './experiments.js';
import type { MigratedBranch } from './migrated.js';

/** Where causes are looked for. */
export interface CauseSearch {
  readonly alone: Alone;
  readonly laboratory: Laboratory;
  readonly branch: MigratedBranch;
  /** Told before each experiment what is tried. */
  readonly onAttempt: (what: string) => void;
}
