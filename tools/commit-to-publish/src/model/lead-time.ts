import type { Micros } from './event.js';
import type { Ready, Stage } from './stage.js';

/** The time that a change took until its end, for one package and, if the question ends there, one consumer. */
export interface LeadTime {
  readonly readyAt: Micros;
  readonly endedAt: Micros;
  /** Microseconds from ready to the end; the sum of the stages. */
  readonly total: number;
  /** In chronological order, without unknown stages. Each begins where the previous one ends. */
  readonly stages: readonly StageTime[];
  /**
   * The release that ended the lead time: the consumer's if the question ends there, otherwise the package's. Changes of one release share
   * their end.
   */
  readonly release: string | undefined;
}

export interface StageTime {
  readonly stage: Stage;
  /** Which of the two published. */
  readonly whose: 'package' | 'consumer';
  readonly startedAt: Micros;
  readonly endedAt: Micros;
}

/** Why there is no lead time (yet). `not measured`: the change was in a first publication, left with its package, or has a wrong time, so it will never have one. */
export type Unfinished = 'not merged' | 'not published' | 'not measured' | 'not upgraded' | 'not released';

/** `published`: only changes to files that their package publishes, as far as the record knows. */
export type CountedChanges = 'published' | 'all';

export interface LeadTimeQuestion {
  readonly ready: Ready;
  /** `released`: until a publication of the consumer that contains the upgrade. */
  readonly until: 'published' | 'upgraded' | 'released';
  /** The channels whose publications count. */
  readonly channels: ReadonlySet<string>;
  /** Missing: all. */
  readonly changes?: CountedChanges;
}
