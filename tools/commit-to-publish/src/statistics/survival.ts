/** How long a change has taken, or has waited so far. */
export interface WaitingTime {
  readonly value: number;
  readonly hasArrived: boolean;
}

/** A percentile that counts what waits. `isBeyond`: it is longer than `value`, and nobody knows yet by how much. */
export interface SurvivalFigure {
  readonly value: number;
  readonly isBeyond: boolean;
}

/**
 * Returns percentiles (0 to 1, ascending) by the estimate of Kaplan and Meier (1958): a change that waits counts as longer than it has waited. A percentile is the first time by which the
 * estimated share has arrived. Where too few have arrived for that, it is beyond the longest time. Empty for no changes.
 */
export function survivalPercentiles(times: readonly WaitingTime[], percentiles: readonly number[]): readonly SurvivalFigure[] {
  // Of an equal time, what arrived was still waiting when the other was last seen.
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
