import type { AbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Progress } from '@tributary/terminal/progress';
import type { Micros } from '../model/event.js';
import type { ForgeRequest } from './open-forge.js';

/** The input of a collection. */
export interface CollectWork {
  readonly clones: readonly AbsolutePath[];
  /** The name of the repository in the record; for a single clone. */
  readonly name: string | undefined;
  readonly record: AbsolutePath;
  readonly config: PublishConfig;
  /** The forge with pull requests and publications; `undefined` if none is asked. */
  readonly forge: ForgeRequest | undefined;
  /** `ask`: also request the jobs of workflows from the forge, with one request per run. */
  readonly jobs: 'ask' | 'as known';
  /** Only events of these packages are recorded, and told of; none: of all. */
  readonly packages: readonly string[];
  /** Only changes from this time on. */
  readonly since: Micros | undefined;
  /** `all`: also events that were recorded before. */
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly now: Micros;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
