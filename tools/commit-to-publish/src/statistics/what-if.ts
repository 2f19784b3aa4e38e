import { type RandomGenerator, xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { type Interval, middleOf } from './interval.js';
import { type PercentileMethod, percentile } from './percentile.js';

/** How long each stage of a change took, all changes in the same order of stages; 0 where a stage is not known. */
export interface StagedChange {
  readonly stages: readonly number[];
  /** The release: what is drawn together. */
  readonly cluster: string;
}

/**
 * How the way without some stages is estimated. `replay`: of each change its own stages are taken out. `simulation`: stages are drawn one by one from all changes, as if none
 * knew of another. `article`: the percentiles of the stages that stay are added, as articles do; too high for a P90, too low for a P50, and here to be compared with.
 */
export const MODES = ['simulation', 'replay', 'article'] as const;
export type Mode = (typeof MODES)[number];

export interface Estimate {
  readonly value: number;
  /** `undefined`: all came with one release. */
  readonly interval: Interval | undefined;
}

export interface WhatIfOptions {
  /** By the place of a stage; the others fall away. */
  readonly kept: readonly number[];
  /** Between 0 and 1. */
  readonly percentiles: readonly number[];
  readonly method: PercentileMethod;
}

// Fixed: the same record gives the same prediction.
const SEED = 20_221_216;
/** Ways that are put together for a figure, and for each of the draws behind its interval. */
const WAYS = 20_000;
const WAYS_OF_DRAW = 1000;
const MOST_DRAWS = 500;
const LEAST_DRAWS = 200;
const MOST_STEPS = 20_000_000;

/** The percentiles of the way without some stages, by each mode, with the interval that 95 % of the draws of whole releases fall into. Empty for no changes. */
export function whatIf(changes: readonly StagedChange[], options: WhatIfOptions): Readonly<Record<Mode, readonly Estimate[]>> {
  const sorted = [...changes].sort(inOrder);
  const figures = estimateAll(sorted, { ...options, ways: WAYS, generator: xoroshiro128plus(SEED) });
  const drawn = drawAll(sorted, options);
  const withInterval = (mode: Mode): readonly Estimate[] =>
    figures[mode].map((value, at) => {
      const draws = drawn?.map((one) => one[mode][at] ?? Number.NaN);
      return { value, interval: draws === undefined ? undefined : middleOf(Float64Array.from(draws)) };
    });
  return { simulation: withInterval('simulation'), replay: withInterval('replay'), article: withInterval('article') };
}

type Figures = Readonly<Record<Mode, readonly number[]>>;

interface Draw extends WhatIfOptions {
  readonly ways: number;
  readonly generator: RandomGenerator;
}

/** Whole releases, with replacement, as many as there are; `undefined` for fewer than two. */
function drawAll(changes: readonly StagedChange[], options: WhatIfOptions): readonly Figures[] | undefined {
  const clusters = groupByCluster(changes);
  if (clusters.length < 2) return undefined;
  const steps = (changes.length + WAYS_OF_DRAW) * Math.max(1, options.kept.length);
  const draws = Math.max(LEAST_DRAWS, Math.min(MOST_DRAWS, Math.floor(MOST_STEPS / steps)));
  const generator = xoroshiro128plus(SEED + 1);
  return Array.from({ length: draws }, () => {
    const sample = clusters.flatMap(() => clusters[numberBelow(clusters.length, generator)] ?? []);
    return estimateAll(sample, { ...options, ways: WAYS_OF_DRAW, generator });
  });
}

/** Behind each other as they come. */
function groupByCluster(changes: readonly StagedChange[]): readonly (readonly StagedChange[])[] {
  const groups = new Map<string, StagedChange[]>();
  for (const change of changes) {
    const group = groups.get(change.cluster) ?? [];
    group.push(change);
    groups.set(change.cluster, group);
  }
  return [...groups.values()];
}

/** So that the order in which the changes come does not matter. */
function inOrder(a: StagedChange, b: StagedChange): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  const at = a.stages.findIndex((length, stage) => length !== b.stages[stage]);
  return at === -1 ? 0 : (a.stages[at] ?? 0) - (b.stages[at] ?? 0);
}

function estimateAll(changes: readonly StagedChange[], options: Draw): Figures {
  if (changes.length === 0) return { simulation: [], replay: [], article: [] };
  const columns = options.kept.map((stage) => Float64Array.from(changes, ({ stages }) => stages[stage] ?? 0));
  const of = (values: Float64Array): readonly number[] =>
    options.percentiles.map((share) => percentile(values.sort(), share, options.method) ?? Number.NaN);
  const totals = changes.map((_, row) => columns.reduce((sum, column) => sum + (column[row] ?? 0), 0));
  const simulated = of(simulate(columns, changes.length, options));
  const replayed = of(Float64Array.from(totals));
  // Sorts the columns, so it comes last.
  const perStage = columns.map(of);
  const added = options.percentiles.map((_, at) => perStage.reduce((sum, stage) => sum + (stage[at] ?? 0), 0));
  return { simulation: simulated, replay: replayed, article: added };
}

/** Ways of which each stage is that of a change of its own. */
function simulate(columns: readonly Float64Array[], rows: number, { ways, generator }: Draw): Float64Array {
  const drawn = new Float64Array(ways);
  for (const column of columns)
    for (let way = 0; way < ways; way++) drawn[way] = (drawn[way] ?? 0) + (column[numberBelow(rows, generator)] ?? 0);
  return drawn;
}
