import type { Micros } from './event.js';
import type { Ready, Stage } from './stage.js';

/** How long a change took to reach its end, for one package and, where there is one, one consumer. */
export interface LeadTime {
  readonly readyAt: Micros;
  readonly endedAt: Micros;
  /** Microseconds from ready to the end, which is the sum of the stages. */
  readonly total: number;
  /** In their order, without those that are not known; one begins where the one before it ends. */
  readonly stages: readonly StageTime[];
  /** The release that ended it: the consumer's where the question ends there, else the package's. Changes of one release share their end. */
  readonly release: string | undefined;
}

export interface StageTime {
  readonly stage: Stage;
  /** Whose publication it is about. */
  readonly whose: 'package' | 'consumer';
  readonly startedAt: Micros;
  readonly endedAt: Micros;
}

/** Why there is no lead time (yet). `not measured`: it came out with a first publication, and there will never be one. */
export type Unfinished = 'not merged' | 'not published' | 'not measured' | 'not upgraded' | 'not released';

/** `published`: only changes of files that their package publishes, as far as the record knows. */
export type CountedChanges = 'published' | 'all';

export interface LeadTimeQuestion {
  readonly ready: Ready;
  /** `released`: in a publication of the consumer that has the upgrade. */
  readonly until: 'published' | 'upgraded' | 'released';
  /** Which publications count, by their channel. */
  readonly channels: ReadonlySet<string>;
  /** Missing: all. */
  readonly changes?: CountedChanges;
}
