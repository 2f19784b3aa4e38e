/** The time that a change has taken, or has waited so far. */
export interface WaitingTime {
  readonly value: number;
  readonly hasArrived: boolean;
}

/** A percentile that takes waiting changes into account. `isBeyond`: it is longer than `value`, by an unknown amount. */
export interface SurvivalFigure {
  readonly value: number;
  readonly isBeyond: boolean;
}

/**
 * Returns percentiles (0 to 1, ascending) by the estimator of Kaplan and Meier (1958): a waiting change counts as longer than it has
 * waited. Each is the first time by which the estimated share has arrived. If too few have arrived, it is beyond the longest time. Empty if
 * there are no changes.
 */
export function survivalPercentiles(times: readonly WaitingTime[], percentiles: readonly number[]): readonly SurvivalFigure[] {
  // At equal times, arrived changes come first: the others were still waiting then.
  const sorted = [...times].sort((a, b) => a.value - b.value || Number(b.hasArrived) - Number(a.hasArrived));
  const longest = sorted.at(-1)?.value;
  if (longest === undefined) return [];
  const found: SurvivalFigure[] = [];
  let waiting = 1;
  for (const [at, { value, hasArrived }] of sorted.entries()) {
    if (hasArrived) waiting *= 1 - 1 / (sorted.length - at);
    while (found.length < percentiles.length && waiting <= 1 - (percentiles[found.length] ?? 0) + ROUNDING)
      found.push({ value, isBeyond: false });
  }
  return percentiles.map((_, at) => found[at] ?? { value: longest, isBeyond: true });
}

/** A product of many factors, such as 9/10 * 8/9, is not exactly 0.8. */
const ROUNDING = 1e-12;
