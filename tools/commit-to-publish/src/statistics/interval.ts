import { type RandomGenerator, xoroshiro128plus } from 'pure-rand';
import { numberBelow } from './chance.js';
import { type PercentileMethod, percentile, weightedPercentiles } from './percentile.js';

/** A value with what it is drawn together with: changes of one release share its end, so that they are no independent facts. */
export interface ClusteredValue {
  readonly value: number;
  /** The release. */
  readonly cluster: string;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

interface IntervalOptions {
  /** Between 0 and 1, ascending. */
  readonly percentiles: readonly number[];
  readonly draws: number;
  /** Two sets that are compared need different ones: with as many clusters they would be drawn alike. */
  readonly seed?: number;
  readonly method?: PercentileMethod | undefined;
}

// Fixed: the same record gives the same report.
const SEED = 20_221_215;
const COVERAGE = 0.95;

/**
 * The interval of each percentile that 95 % of the draws fall into, drawing whole clusters with replacement, as many as there are. `undefined` with fewer than two
 * clusters: nothing is known of how they differ. Deterministic; the order of the values does not matter.
 */
export function bootstrapIntervals(values: readonly ClusteredValue[], options: IntervalOptions): readonly Interval[] | undefined {
  return bootstrapDraws(values, options)?.map(middleOf);
}

/** The draws themselves, for each percentile; otherwise as `bootstrapIntervals`. */
export function bootstrapDraws(values: readonly ClusteredValue[], options: IntervalOptions): readonly Float64Array[] | undefined {
  const clusters = numberClusters(values);
  if (clusters.size < 2) return undefined;
  const sorted = [...values].sort((a, b) => a.value - b.value || (a.cluster < b.cluster ? -1 : 1));
  const clusterOf = Uint32Array.from(sorted, ({ cluster }) => clusters.get(cluster) ?? 0);
  const [times, sizes] = [new Uint32Array(clusters.size), new Uint32Array(clusters.size)];
  for (const cluster of clusterOf) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  const sample = { values: Float64Array.from(sorted, ({ value }) => value), clusterOf, times, sizes };
  const drawn = options.percentiles.map(() => new Float64Array(options.draws));
  const generator = xoroshiro128plus(options.seed ?? SEED);
  for (let at = 0; at < options.draws; at++) {
    draw(times, generator);
    const found = weightedPercentiles(sample, options.percentiles, options.method);
    drawn.forEach((one, place) => {
      one[at] = found?.[place] ?? Number.NaN;
    });
  }
  return drawn;
}

/** In the order of their names, so that the order of the values does not matter. */
function numberClusters(values: readonly ClusteredValue[]): ReadonlyMap<string, number> {
  return new Map([...new Set(values.map(({ cluster }) => cluster))].sort().map((cluster, number) => [cluster, number]));
}

/** Draws as many things as there are, and writes down how often each was. */
function draw(times: Uint32Array, generator: RandomGenerator): void {
  times.fill(0);
  for (let drawn = 0; drawn < times.length; drawn++) {
    const one = numberBelow(times.length, generator);
    times[one] = (times[one] ?? 0) + 1;
  }
}

/** Where the middle 95 % of draws lie. */
export function middleOf(drawn: Float64Array): Interval {
  const sorted = drawn.slice().sort();
  const tail = (1 - COVERAGE) / 2;
  return { low: percentile(sorted, tail) ?? Number.NaN, high: percentile(sorted, 1 - tail) ?? Number.NaN };
}
