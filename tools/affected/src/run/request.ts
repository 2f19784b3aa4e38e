import type { AbsolutePath } from '@tributary/model/paths';
import type { ObservedInputs } from './inputs.js';

/** A request of a person or a CI job. */
export interface AffectedRequest {
  readonly cwd: AbsolutePath;
  /** The base; `undefined`: auto-detected. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** A file with paths, `-` for stdin. */
  readonly filesFrom: string | undefined;
  readonly pullRequest: number | undefined;
  /** Whether to include uncommitted and untracked files. */
  readonly uncommitted: 'with' | 'without';
  /**
   * turborepo's task of the answer. Without one it counts as `test`, and observations spare no workspace, because each belongs to one task.
   */
  readonly task?: string | undefined;
  /** Whether missing history may be fetched. */
  readonly fetch: 'allowed' | 'never';
  /** A file of `affected timings collect --observations`; missing: no observations are used. */
  readonly observations?: string;
  /** What `observations` would hold, as it was read already. */
  readonly observed?: ObservedInputs;
  /** A ledger of `affected shadow`: after an escape, observations spare nobody. */
  readonly ledger?: string;
}
