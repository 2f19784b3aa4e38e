import type { Micros } from '../model/event.js';
import type { Interval } from '../statistics/interval.js';
import type { SurvivalFigure } from '../statistics/survival.js';
import type { ReportQuestion } from './question.js';

/** A figure with its uncertainty; times in microseconds. */
export interface Figure {
  readonly value: number;
  /** 95 %. `undefined`: there are too few releases to bound it. The upper end is infinite if some of the changes have only lower bounds. */
  readonly interval: Interval | undefined;
}

/** The figures of a group for the trailing weeks up to the end of the report. */
export interface ReportRow {
  /** Name of a package, team, repository or stage. */
  readonly group: string;
  /** The number of changes that ended. */
  readonly n: number;
  /** The number of different releases that published them. */
  readonly releases: number;
  /** The number of changes whose publication has only the time of its commit: their figures are lower bounds. */
  readonly atLeast: number;
  /** The share of the changes ready in the same weeks that have arrived by now; `undefined` if none was ready. */
  readonly coverage: number | undefined;
  /** P50 and P90 of the changes ready in the same weeks, including those that wait; `undefined` if none waits, or if rows are stages. */
  readonly withWaiting: WithWaiting | undefined;
  /** `undefined` if n is too small. */
  readonly p50: Figure | undefined;
  readonly p90: Figure | undefined;
  /** The value of each change if there are too few for a percentile; ascending. */
  readonly values: readonly number[];
  /** Which of `values` are lower bounds. */
  readonly bounds: readonly boolean[];
  /** One for each week of the report, in chronological order. */
  readonly points: readonly ReportPoint[];
}

/** An estimate that counts a waiting change as longer than it has waited. */
export interface WithWaiting {
  /** The number of changes that were ready. */
  readonly n: number;
  readonly waiting: number;
  /** `undefined` if n is too small. */
  readonly p50: SurvivalFigure | undefined;
  readonly p90: SurvivalFigure | undefined;
}

/** The trailing weeks up to the end of one week. */
export interface ReportPoint {
  readonly endsAt: Micros;
  readonly n: number;
  /** How many of them have only a lower bound: then the percentiles are lower bounds too. */
  readonly atLeast: number;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
}

export interface Report {
  readonly question: ReportQuestion;
  /** By P90, slowest first; then rows without a P90, by n. */
  readonly rows: readonly ReportRow[];
  /** The number of rows that are left out. */
  readonly left: number;
  /** The number of changes that were ready and had not arrived at the end of the report. */
  readonly waiting: number;
  /**
   * The number of changes of the last weeks without a known approval, if lead times begin with it; otherwise 0. Their lead times begin as
   * `collect` derived it.
   */
  readonly unapproved: number;
  /** With a row for each stage: the number of changes of the last weeks that the row `upgrade-open` lacks, because their publication has only a lower bound. */
  readonly unknownOpen: number;
  /** The whole content of the record; only if no row has a change. */
  readonly elsewhere: Elsewhere | undefined;
}

/** What the record has at other times. */
export interface Elsewhere {
  /** The number of changes that have arrived at any time. */
  readonly n: number;
  /** When the first of them arrived; `undefined` if there are none. */
  readonly first: Micros | undefined;
  readonly last: Micros | undefined;
  /** The number of publications by channel, the most frequent first. */
  readonly channels: readonly { readonly channel: string; readonly n: number }[];
}
