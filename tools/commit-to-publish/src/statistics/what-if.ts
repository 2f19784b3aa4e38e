import { xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { bootstrapDraws, type Interval, middleOf } from './interval.js';
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
  /** `undefined`: all came with one release. */
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
/** Samples that are put together for a figure, and for each of the draws behind its interval. */
const SAMPLES = 20_000;
const SAMPLES_OF_DRAW = 1000;
const MOST_DRAWS = 500;
const LEAST_DRAWS = 200;
const MOST_STEPS = 10_000_000;

/** The percentiles of the lead time without some stages, by each mode, with the interval that 95 % of the draws of whole releases fall into. Empty for no changes. */
export function whatIf(changes: readonly StagedChange[], options: WhatIfOptions): Readonly<Record<Mode, readonly Estimate[]>> {
  if (changes.length === 0) return { simulation: [], replay: [], article: [] };
  const sorted = [...changes].sort(inOrder);
  const columns = options.kept.map((stage) => Float64Array.from(sorted, ({ stages }) => stages[stage] ?? 0));
  const totals = Float64Array.from(sorted, (_, row) => columns.reduce((sum, column) => sum + (column[row] ?? 0), 0));
  const clusters = sorted.map(({ cluster }) => cluster);
  const draws = Math.max(LEAST_DRAWS, Math.min(MOST_DRAWS, Math.floor(MOST_STEPS / sorted.length)));
  const drawn = (values: Float64Array): readonly Float64Array[] | undefined => drawValues(values, clusters, { ...options, draws });
  return {
    simulation: withIntervals(
      percentilesOf(simulateAll(columns, sorted.length), options),
      drawSimulations(columns, clusters, { ...options, draws }),
    ),
    replay: withIntervals(percentilesOf(totals, options), drawn(totals)),
    article: withIntervals(
      addUp(
        columns.map((column) => percentilesOf(column, options)),
        options,
      ),
      addDraws(columns.map(drawn), draws),
    ),
  };
}

interface Draws extends Pick<WhatIfOptions, 'percentiles' | 'method'> {
  readonly draws: number;
}

function percentilesOf(values: Float64Array, { percentiles, method }: WhatIfOptions): readonly number[] {
  const sorted = values.slice().sort();
  return percentiles.map((share) => percentile(sorted, share, method) ?? Number.NaN);
}

function withIntervals(values: readonly number[], drawn: readonly Float64Array[] | undefined): readonly Estimate[] {
  return values.map((value, at) => ({ value, interval: drawn?.[at] === undefined ? undefined : middleOf(drawn[at]) }));
}

/** The same releases for every stage: the seed is the same. */
function drawValues(values: Float64Array, clusters: readonly string[], options: Draws): readonly Float64Array[] | undefined {
  return bootstrapDraws(
    Array.from(values, (value, row) => ({ value, cluster: clusters[row] ?? '' })),
    { ...options, seed: SEED + 1 },
  );
}

function addUp(stages: readonly (readonly number[])[], { percentiles }: WhatIfOptions): readonly number[] {
  return percentiles.map((_, at) => stages.reduce((sum, stage) => sum + (stage[at] ?? 0), 0));
}

/** Draw by draw. No stage at all takes no time. */
function addDraws(stages: readonly (readonly Float64Array[] | undefined)[], draws: number): readonly Float64Array[] | undefined {
  if (stages.length === 0) return [new Float64Array(draws), new Float64Array(draws)];
  const [first] = stages;
  return first?.map((_, at) =>
    Float64Array.from({ length: draws }, (__, draw) => stages.reduce((sum, stage) => sum + (stage?.[at]?.[draw] ?? 0), 0)),
  );
}

/** Samples of which each stage is that of a change of its own. */
function simulateAll(columns: readonly Float64Array[], rows: number): Float64Array {
  const generator = xoroshiro128plus(SEED);
  return simulate(columns, SAMPLES, () => numberBelow(rows, generator));
}

function simulate(columns: readonly Float64Array[], count: number, pick: () => number): Float64Array {
  const drawn = new Float64Array(count);
  for (const column of columns) for (let at = 0; at < count; at++) drawn[at] = (drawn[at] ?? 0) + (column[pick()] ?? 0);
  return drawn;
}

/** The percentiles of simulations from whole releases, drawn with replacement, as many as there are; `undefined` for fewer than two. `clusters`: each behind the other. */
function drawSimulations(
  columns: readonly Float64Array[],
  clusters: readonly string[],
  options: Draws,
): readonly Float64Array[] | undefined {
  const starts = clusters.flatMap((cluster, row) => (row === 0 || cluster !== clusters[row - 1] ? [row] : []));
  if (starts.length < 2) return undefined;
  const generator = xoroshiro128plus(SEED + 2);
  const drawn = options.percentiles.map(() => new Float64Array(options.draws));
  for (let draw = 0; draw < options.draws; draw++) {
    const rows = starts.flatMap(() => {
      const at = numberBelow(starts.length, generator);
      return rowsBetween(starts[at] ?? 0, starts[at + 1] ?? clusters.length);
    });
    const sample = simulate(columns, SAMPLES_OF_DRAW, () => rows[numberBelow(rows.length, generator)] ?? 0).sort();
    for (const [at, share] of options.percentiles.entries()) {
      const values = drawn[at];
      if (values !== undefined) values[draw] = percentile(sample, share, options.method) ?? Number.NaN;
    }
  }
  return drawn;
}

function rowsBetween(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** By release, and so that the order in which the changes come does not matter. */
function inOrder(a: StagedChange, b: StagedChange): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  const at = a.stages.findIndex((length, stage) => length !== b.stages[stage]);
  return at === -1 ? 0 : (a.stages[at] ?? 0) - (b.stages[at] ?? 0);
}
