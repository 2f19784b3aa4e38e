import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';

/** One side of a comparison: the changes, and where their way ends. */
export interface SideQuestion {
  readonly lead: LeadTimeQuestion;
  /** The changes that ended in this time. */
  readonly since: Micros;
  readonly until: Micros;
  /** Only changes of these repositories; empty: of all. */
  readonly repos: readonly string[];
  /** Only changes of these packages; empty: of all. */
  readonly packages: readonly string[];
}

/** The figures of one side; lengths in microseconds. */
export interface SideFigures {
  readonly n: number;
  readonly releases: number;
  /** The number of changes of which only a lower bound is known. */
  readonly atLeast: number;
  /** The share of the changes ready in its time that have arrived by now; `undefined` if none was ready. */
  readonly coverage: number | undefined;
  readonly upgrades: UpgradeRate;
  /** The mean length of each stage over all changes of the side. */
  readonly stages: readonly SideStage[];
  /** How many changes of its time reached each end; only if none has reached the end of the question. */
  readonly reached: ReachedEnds | undefined;
}

interface SideStage {
  readonly stage: Stage;
  readonly whose: 'package' | 'consumer';
  /** `undefined`: the stage of some changes is unknown, because it begins with a publication of which only a lower bound is known. */
  readonly mean: number | undefined;
  /** The number of changes of which only a lower bound of this stage is known. */
  readonly atLeast: number;
}

export interface StagedChange {
  /** The length of each stage; 0 for an unknown one. */
  readonly stages: readonly number[];
  /** Whether that is only a lower bound, for each stage. If it is for the last one, it is for the whole. */
  readonly areBounds: readonly boolean[];
  /** The release. */
  readonly cluster: string;
}

/** One side with all its changes. */
export interface SideData {
  /** Each with its stages in the order of `stages`, which add up to the whole way. */
  readonly changes: readonly StagedChange[];
  /** The names of all stages that the way can have: `publish`, and `consumer-publish` for a consumer's own publication. */
  readonly stages: readonly string[];
  readonly figures: SideFigures;
}

export type ReachedEnds = Readonly<Record<LeadTimeQuestion['until'], number>>;

/** Merged upgrades of consumers. */
export interface UpgradeRate {
  readonly n: number;
  /** Per month of 30 days. */
  readonly perMonth: number;
}
