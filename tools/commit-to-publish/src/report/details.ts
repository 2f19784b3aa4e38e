import type { Micros } from '../model/event.js';
import type { Stage } from '../model/stage.js';
import type { Figures } from './figures.js';
import type { WithWaiting } from './report.js';

/**
 * Additional content of the page of a report. Every change counts once, and ends when the last of its packages is published. Lengths in
 * microseconds.
 */
export interface ReportDetails {
  /** One for each week, in chronological order. */
  readonly trend: readonly TrendPoint[];
  /** The figures of as many weeks right before the last ones from which those differ, as a comparison would claim. */
  readonly previous: Partial<Readonly<Record<'p50' | 'p90', number>>>;
  /** The repositories of the changes of the last weeks, sorted. */
  readonly repos: readonly string[];
  /** The changes that were ready in the last weeks, if some of them had not arrived at their end. */
  readonly withWaiting: WithWaiting | undefined;
  /** The changes of weeks with too few changes for a percentile, in order of arrival. They are shown one by one. */
  readonly single: readonly SingleChange[];
  /**
   * The stages of the changes near the median of the last weeks. Together they last as long as such a change. `undefined`: too
   * few changes, or `unknownOpen`.
   */
  readonly waterfall: Waterfall | undefined;
  /** The number of changes near the median of which it is unknown how long an upgrade took to open: then there is no waterfall. */
  readonly unknownOpen: number;
  /** The ten changes with the longest lead times in the last weeks, slowest first. */
  readonly slowest: readonly SlowChange[];
}

/** The trailing weeks up to the end of one week. */
export interface TrendPoint extends Figures {
  readonly endsAt: Micros;
  readonly n: number;
  /** How many of them have only a lower bound. */
  readonly atLeast: number;
}

export interface SingleChange extends Total {
  readonly endedAt: Micros;
}

interface Total {
  readonly total: number;
  /** 1 if the total is only a lower bound, otherwise 0. */
  readonly atLeast: number;
}

export interface Waterfall {
  /** The number of changes near the median. */
  readonly n: number;
  readonly stages: readonly WaterfallStage[];
}

/** Tells whether more than one stage took time. A single one is the total. */
export function isSplit({ stages }: Waterfall): boolean {
  return stages.filter(({ length }) => length > 0).length > 1;
}

interface WaterfallStage {
  readonly stage: Stage;
  readonly whose: 'package' | 'consumer';
  readonly length: number;
  /** The number of changes of which only a lower bound of this stage is known. */
  readonly atLeast: number;
}

export interface SlowChange extends Total {
  readonly repo: string;
  readonly change: string;
  readonly url: string | undefined;
  readonly package: string;
  readonly release: string | undefined;
  readonly endedAt: Micros;
}
