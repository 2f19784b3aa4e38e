import type { TrendPoint } from '../report/details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { Figure, WithWaiting } from '../report/report.js';
import type { SurvivalFigure } from '../statistics/survival.js';
import type { Grid } from './grid.js';
import { formatDay, formatLength } from './times.js';

/** Returns a P50 with its interval, or why there is none. `n`: the number of its changes. */
export function formatP50(p50: Figure | undefined, n: number): string {
  return formatFigure(p50, { n, least: LEAST_FOR_P50 });
}

/** Like `formatP50`. */
export function formatP90(p90: Figure | undefined, n: number): string {
  return formatFigure(p90, { n, least: LEAST_FOR_P90 });
}

function formatFigure(known: Figure | undefined, { n, least }: { readonly n: number; readonly least: number }): string {
  if (known === undefined) return n === 0 ? '' : `n < ${least}`;
  const { interval } = known;
  return `${formatLength(known.value)}${interval === undefined ? '' : ` (${formatLength(interval.low)} - ${formatLength(interval.high)})`}`;
}

/** Returns P50 and P90 with waiting changes, such as `3.0 h, > 12 d`. */
export function formatWithWaiting({ p50, p90 }: WithWaiting): string {
  const known = [p50, p90].filter((figure) => figure !== undefined);
  return known.map(formatSurvival).join(', ');
}

function formatSurvival({ value, isBeyond }: SurvivalFigure): string {
  return `${isBeyond ? '> ' : ''}${formatLength(value)}`;
}

/** Returns a share from 0 to 1 as `97 %`; empty if it is unknown. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? '' : `${Math.round(share * 100)} %`;
}

/** Returns the figures of all changes together, for the trailing weeks up to the end of each week. */
export function weekGrid(trend: readonly TrendPoint[]): Grid {
  const rows = trend.map(({ endsAt, n, p50, p90 }) => [formatDay(endsAt), String(n), formatP50(p50, n), formatP90(p90, n)]);
  return { titles: ['weeks up to', 'n', 'P50 (95 %)', 'P90 (95 %)'], rows };
}
