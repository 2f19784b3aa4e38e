import type { Micros } from '../model/event.js';
import type { Stage } from '../model/stage.js';
import type { Figures } from './figures.js';

/** What a page shows beside the rows of a report. Every change counts once, and ends when the last of its packages is out; lengths in microseconds. */
export interface ReportDetails {
  /** One for each week, in their order. */
  readonly trend: readonly TrendPoint[];
  /** The same of as many weeks right before the last ones; `undefined` where the report counts nothing from before its own weeks. */
  readonly previous: Figures | undefined;
  /** Of the changes of the last weeks, sorted. */
  readonly repos: readonly string[];
  /** Changes that were ready in the last weeks and had not arrived at their end. */
  readonly waiting: number;
  /** The changes of weeks that have too few for a percentile, in the order they arrived: they are shown one by one. */
  readonly single: readonly SingleChange[];
  /** The stages of the changes near the median of the last weeks; they add up to what such a change took. */
  readonly waterfall: Waterfall | undefined;
  /** The ten that took longest in the last weeks, the slowest first. */
  readonly slowest: readonly SlowChange[];
}

/** The trailing weeks up to the end of one week. */
export interface TrendPoint extends Figures {
  readonly endsAt: Micros;
  readonly n: number;
}

export interface SingleChange {
  readonly endedAt: Micros;
  readonly total: number;
}

export interface Waterfall {
  /** How many changes are near the median. */
  readonly n: number;
  readonly stages: readonly { readonly stage: Stage; readonly whose: 'package' | 'consumer'; readonly length: number }[];
}

export interface SlowChange {
  readonly repo: string;
  readonly change: string;
  readonly url: string | undefined;
  readonly package: string;
  readonly release: string | undefined;
  readonly endedAt: Micros;
  readonly total: number;
}
