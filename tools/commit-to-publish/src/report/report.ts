import type { Micros } from '../model/event.js';
import type { Interval } from '../statistics/interval.js';
import type { ReportQuestion } from './question.js';

/** Fewer changes say nothing about the tenth that takes longest: for 36 there is a two-sided 95 % interval for a P90 without assumptions (1 - 0.9^36 >= 0.975). */
export const LEAST_FOR_P90 = 36;
/** Fewer changes are shown one by one, and no percentile is claimed. */
export const LEAST_FOR_P50 = 10;

/** A figure with how well it is known; times in microseconds. */
export interface Figure {
  readonly value: number;
  /** `undefined`: all of it is of one release, so nothing is known of how releases differ. */
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
  /** `undefined` where n is too small for it. */
  readonly p50: Figure | undefined;
  readonly p90: Figure | undefined;
  /** Each change, where there are too few for a percentile; ascending. */
  readonly values: readonly number[];
  /** One for each week of the report, in their order. */
  readonly points: readonly ReportPoint[];
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
}
