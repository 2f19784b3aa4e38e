import { xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { type Interval, percentileIntervals } from './interval.js';
import { type PercentileMethod, percentile } from './percentile.js';

/** How long each stage of a change took, all changes in the same order of stages; 0 where a stage is not known. */
export interface StagedChange {
  readonly stages: readonly number[];
  /** The release: what is drawn together. */
  readonly cluster: string;
}

/**
 * How the lead time without some stages is estimated. `replay`: of each change its own stages are taken out. `simulation`: stages are drawn one by one from all changes, as if none
 * knew of another. `article`: the percentiles of the stages that stay are added, as articles do; too high for a P90, too low for a P50, and here to be compared with.
 */
export const MODES = ['simulation', 'replay', 'article'] as const;
export type Mode = (typeof MODES)[number];

export interface Estimate {
  readonly value: number;
  /** Of a replay, whose values are those of changes; of the other modes nobody knows how often an interval would hold. `undefined` also where there are too few releases. */
  readonly interval: Interval | undefined;
}

interface WhatIfOptions {
  /** By the place of a stage; the others fall away. */
  readonly kept: readonly number[];
  /** Between 0 and 1. */
  readonly percentiles: readonly number[];
  readonly method: PercentileMethod;
}

// Fixed: the same record gives the same prediction.
const SEED = 20_221_216;
/** Samples that are put together for a figure. */
const SAMPLES = 20_000;

/** The percentiles of the lead time without some stages, by each mode. Empty for no changes. */
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

/** Samples of which each stage is that of a change of its own. */
function simulate(columns: readonly Float64Array[], rows: number): Float64Array {
  const generator = xoroshiro128plus(SEED);
  const drawn = new Float64Array(SAMPLES);
  for (const column of columns)
    for (let at = 0; at < SAMPLES; at++) drawn[at] = (drawn[at] ?? 0) + (column[numberBelow(rows, generator)] ?? 0);
  return drawn;
}

/** By release, and so that the order in which the changes come does not matter. */
function inOrder(a: StagedChange, b: StagedChange): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  const at = a.stages.findIndex((length, stage) => length !== b.stages[stage]);
  return at === -1 ? 0 : (a.stages[at] ?? 0) - (b.stages[at] ?? 0);
}
