import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';
import type { StagedChange } from '../statistics/what-if.js';

/** One side of a comparison: which changes, and where their way ends. */
export interface SideQuestion {
  readonly lead: LeadTimeQuestion;
  /** Changes that ended in this time. */
  readonly since: Micros;
  readonly until: Micros;
  /** Of these repositories only; empty: of all. */
  readonly repos: readonly string[];
  /** Of these packages only; empty: of all. */
  readonly packages: readonly string[];
}

/** What one side holds; lengths in microseconds. */
export interface SideFigures {
  readonly n: number;
  readonly releases: number;
  /** Of the changes that were ready in its time, how many have arrived by now; `undefined` where none was ready. */
  readonly coverage: number | undefined;
  readonly upgrades: UpgradeRate;
  /** The mean length of each stage over all of its changes. */
  readonly stages: readonly { readonly stage: Stage; readonly whose: 'package' | 'consumer'; readonly mean: number }[];
  /** How many changes of its time have come how far; known only where none has arrived at the end that was asked for. */
  readonly reached: ReachedEnds | undefined;
}

/** One side with all of its changes. */
export interface SideData {
  /** With the stages in the order of `stages`; they add up to the whole way. */
  readonly changes: readonly StagedChange[];
  /** The names of all stages that the way may have: `publish`, and of a consumer's own publication `consumer-publish`. */
  readonly stages: readonly string[];
  readonly figures: SideFigures;
}

export type ReachedEnds = Readonly<Record<LeadTimeQuestion['until'], number>>;

/** Upgrades of consumers that were merged. */
export interface UpgradeRate {
  readonly n: number;
  /** In a month of 30 days. */
  readonly perMonth: number;
}
