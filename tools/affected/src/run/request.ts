import type { AbsolutePath } from '@tributary/model/paths';
import type { ObservedInputs } from './inputs.js';

/** What a person or a CI job asks. */
export interface AffectedRequest {
  readonly cwd: AbsolutePath;
  /** What to compare with; `undefined`: to be found. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** A file with paths, `-` for stdin. */
  readonly filesFrom: string | undefined;
  readonly pullRequest: number | undefined;
  /** Whether the work tree and untracked files count. */
  readonly uncommitted: 'with' | 'without';
  /** The task of turborepo that the answer is for. Without one it counts as `test`, and observations spare nobody: each is of one task. */
  readonly task?: string | undefined;
  /** Whether missing history may be fetched. */
  readonly fetch: 'allowed' | 'never';
  /** A file of `affected timings collect --observations`; not read if not given. */
  readonly observations?: string;
  /** What `observations` would hold, as it was read already. */
  readonly observed?: ObservedInputs;
  /** A ledger of `affected shadow`: after an escape, observations spare nobody. */
  readonly ledger?: string;
}
