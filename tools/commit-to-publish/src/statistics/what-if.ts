import { xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { type Interval, percentileIntervals } from './interval.js';
import { type PercentileMethod, percentile } from './percentile.js';

/** The length of each stage of a change, in the same order of stages for all changes; 0 for an unknown stage. */
export interface StagedChange {
  readonly stages: readonly number[];
  /** The release. */
  readonly cluster: string;
}

/**
 * How to estimate the lead time without some stages.
 * `replay`: removes these stages from each change. `simulation`: draws each stage independently from all changes.
 * `article`: adds the percentiles of the remaining stages, as articles do. That is too high for a P90 and too low for a P50; it is here for
 * comparison.
 */
export const MODES = ['simulation', 'replay', 'article'] as const;
export type Mode = (typeof MODES)[number];

export interface Estimate {
  readonly value: number;
  /**
   * Only for a replay, whose values are those of changes: for the other modes the coverage of an interval is unknown. `undefined` also if
   * there are too few releases.
   */
  readonly interval: Interval | undefined;
}

interface WhatIfOptions {
  /** The indexes of the remaining stages. */
  readonly kept: readonly number[];
  /** Between 0 and 1. */
  readonly percentiles: readonly number[];
  readonly method: PercentileMethod;
}

// Fixed, so that the same record gives the same prediction.
const SEED = 20_221_216;
/** Number of simulated changes. */
const SAMPLES = 20_000;

/** Returns the percentiles of the lead time without some stages, for each mode. Empty if there are no changes. */
export function whatIf(changes: readonly StagedChange[], options: WhatIfOptions): Readonly<Record<Mode, readonly Estimate[]>> {
  if (changes.length === 0) return { simulation: [], replay: [], article: [] };
  const sorted = [...changes].sort(inOrder);
  const columns = options.kept.map((stage) => Float64Array.from(sorted, ({ stages }) => stages[stage] ?? 0));
  const totals = Float64Array.from(sorted, (_, row) => columns.reduce((sum, column) => sum + (column[row] ?? 0), 0));
  const replayed = Array.from(totals, (value, row) => ({ value, cluster: sorted[row]?.cluster ?? '' }));
  const intervals = percentileIntervals(replayed, options.percentiles);
  const ofStages = columns.map((column) => percentilesOf(column, options));
  return {
    simulation: percentilesOf(simulate(columns, sorted.length), options).map(withoutInterval),
    replay: percentilesOf(totals, options).map((value, at) => ({ value, interval: intervals[at] })),
    article: addUp(ofStages, options).map(withoutInterval),
  };
}

function withoutInterval(value: number): Estimate {
  return { value, interval: undefined };
}

function percentilesOf(values: Float64Array, { percentiles, method }: WhatIfOptions): readonly number[] {
  const sorted = values.slice().sort();
  return percentiles.map((share) => percentile(sorted, share, method) ?? Number.NaN);
}

function addUp(stages: readonly (readonly number[])[], { percentiles }: WhatIfOptions): readonly number[] {
  return percentiles.map((_, at) => stages.reduce((sum, stage) => sum + (stage[at] ?? 0), 0));
}

/** Draws samples; each stage comes from a change chosen independently. */
function simulate(columns: readonly Float64Array[], rows: number): Float64Array {
  const generator = xoroshiro128plus(SEED);
  const drawn = new Float64Array(SAMPLES);
  for (const column of columns)
    for (let at = 0; at < SAMPLES; at++) drawn[at] = (drawn[at] ?? 0) + (column[numberBelow(rows, generator)] ?? 0);
  return drawn;
}

/** Sorts by release, then by stages, so that the order of the input does not matter. */
function inOrder(a: StagedChange, b: StagedChange): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  const at = a.stages.findIndex((length, stage) => length !== b.stages[stage]);
  return at === -1 ? 0 : (a.stages[at] ?? 0) - (b.stages[at] ?? 0);
}
