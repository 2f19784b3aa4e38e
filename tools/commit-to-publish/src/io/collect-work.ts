import type { AbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Progress } from '@tributary/terminal/progress';
import type { Micros } from '../model/event.js';
import type { ForgeRequest } from './open-forge.js';

/** What a collection is asked for. */
export interface CollectWork {
  readonly clones: readonly AbsolutePath[];
  /** What the repository is called in the record; for a single clone. */
  readonly name: string | undefined;
  readonly record: AbsolutePath;
  readonly config: PublishConfig;
  /** Where pull requests and the like are; `undefined`: nobody is asked. */
  readonly forge: ForgeRequest | undefined;
  /** `ask`: the forge for the jobs of workflows too, a request for each run. */
  readonly jobs: 'ask' | 'as known';
  /** Only changes from then on. */
  readonly since: Micros | undefined;
  /** `all`: also what was recorded before. */
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly now: Micros;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
