import { bootstrapDraws, type ClusteredValue, type Interval, middleOf } from './interval.js';
import { type PercentileMethod, percentile } from './percentile.js';

/** How a percentile differs between two sets of values. */
export interface Difference {
  readonly before: number;
  readonly after: number;
  /** `after / before - 1`: -0.5 is half of what it was. */
  readonly change: number;
  /** Of `change`; `undefined`: one of the two came with one release. */
  readonly interval: Interval | undefined;
}

interface DifferenceOptions {
  readonly share: number;
  readonly draws: number;
  readonly method?: PercentileMethod;
}

/** The difference of one percentile, with the interval that 95 % of the draws of whole releases on both sides fall into. `undefined` where one side has no values. */
export function differenceOf(
  before: readonly ClusteredValue[],
  after: readonly ClusteredValue[],
  options: DifferenceOptions,
): Difference | undefined {
  const [old, now] = [before, after].map((values) =>
    percentile(Float64Array.from(values, ({ value }) => value).sort(), options.share, options.method),
  );
  if (old === undefined || now === undefined) return undefined;
  const drawnBefore = draw(before, options, 1);
  const drawnAfter = draw(after, options, 2);
  const interval =
    drawnBefore === undefined || drawnAfter === undefined
      ? undefined
      : middleOf(drawnAfter.map((value, at) => changeOf(drawnBefore[at] ?? 0, value)));
  return { before: old, after: now, change: changeOf(old, now), interval };
}

function draw(values: readonly ClusteredValue[], { share, draws, method }: DifferenceOptions, seed: number): Float64Array | undefined {
  return bootstrapDraws(values, { percentiles: [share], draws, method, seed })?.[0];
}

/** From nothing to something is no finite change. */
function changeOf(before: number, after: number): number {
  return before === 0 ? (after === 0 ? 0 : Number.POSITIVE_INFINITY) : after / before - 1;
}
