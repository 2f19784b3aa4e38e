import type { Micros } from '../model/event.js';
import type { Interval } from '../statistics/interval.js';
import type { SurvivalFigure } from '../statistics/survival.js';
import type { ReportQuestion } from './question.js';
import type { RollUps } from './roll-up.js';

/** A figure with how well it is known; times in microseconds. */
export interface Figure {
  readonly value: number;
  /** 95 %. `undefined`: too few releases to bound it. */
  readonly interval: Interval | undefined;
}

/** What the trailing weeks up to the end of the report say about a group. */
export interface ReportRow {
  /** Name of a package, team, repository or stage. */
  readonly group: string;
  /** How many changes ended. */
  readonly n: number;
  /** How many different releases brought them out. */
  readonly releases: number;
  /** Of the changes that were ready in the same weeks, how many have arrived by now; `undefined` where none was ready. */
  readonly coverage: number | undefined;
  /** P50 and P90 of the changes that were ready in the same weeks, with what waits; `undefined` where none waits, or where stages are rows. */
  readonly withWaiting: WithWaiting | undefined;
  /** `undefined` where n is too small for it. */
  readonly p50: Figure | undefined;
  readonly p90: Figure | undefined;
  /** Each change, where there are too few for a percentile; ascending. */
  readonly values: readonly number[];
  /** One for each week of the report, in their order. */
  readonly points: readonly ReportPoint[];
}

/** An estimate that counts a change that waits as longer than it has waited. */
export interface WithWaiting {
  /** How many were ready, and how many of them wait. */
  readonly n: number;
  readonly waiting: number;
  /** `undefined` where n is too small for it. */
  readonly p50: SurvivalFigure | undefined;
  readonly p90: SurvivalFigure | undefined;
}

/** The trailing weeks up to the end of one week. */
export interface ReportPoint {
  readonly endsAt: Micros;
  readonly n: number;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
}

export interface Report {
  readonly question: ReportQuestion;
  /** By P90, the slowest first; those without one behind, by n. */
  readonly rows: readonly ReportRow[];
  /** Changes that were ready and had not arrived at the end of the report. */
  readonly waiting: number;
  /** Changes of the last weeks of which nobody knows an approval, where that is the beginning of the way: theirs begins as `collect` derived it. Else 0. */
  readonly unapproved: number;
  /** What the rows lack, and which options would have it. */
  readonly rollUps: RollUps;
  /** What the record has at all; known only where there is no row. */
  readonly elsewhere: Elsewhere | undefined;
}

/** What the record has at other times. */
export interface Elsewhere {
  /** How many changes have arrived at any time. */
  readonly n: number;
  /** When the first and the last of them arrived; `undefined` for none. */
  readonly first: Micros | undefined;
  readonly last: Micros | undefined;
  /** The publications of the record by their channel, the most frequent first. */
  readonly channels: readonly { readonly channel: string; readonly n: number }[];
}
