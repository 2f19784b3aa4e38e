import type { TrendPoint } from '../report/details.js';
import { closedInterval } from '../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import { type ReportQuestion, timeOfFigures } from '../report/question.js';
import type { Figure, WithWaiting } from '../report/report.js';
import type { Grid } from './grid.js';
import { formatDay, formatLength, formatMoment } from './times.js';

/** The changes of a figure. */
interface Counted {
  readonly n: number;
  /** Above 0: the figure is a lower bound. */
  readonly atLeast?: number;
}

/** Returns a P50 with its interval, or why there is none. */
export function formatP50(p50: Figure | undefined, counted: Counted): string {
  return formatFigure(p50, { ...counted, least: LEAST_FOR_P50 });
}

/** Like `formatP50`. */
export function formatP90(p90: Figure | undefined, counted: Counted): string {
  return formatFigure(p90, { ...counted, least: LEAST_FOR_P90 });
}

function formatFigure(known: Figure | undefined, { n, least, atLeast = 0 }: Counted & { readonly least: number }): string {
  if (known === undefined) return n === 0 ? '' : `n < ${least}`;
  const interval = closedInterval(known);
  return `${formatBound(known.value, atLeast)}${interval === undefined ? '' : ` (${formatLength(interval.low)} - ${formatLength(interval.high)})`}`;
}

/** Returns a length as it is known. A lower bound of no time says nothing. */
export function formatBound(value: number | undefined, atLeast = 0): string {
  if (value === undefined || (value === 0 && atLeast > 0)) return 'unknown';
  return `${atLeast > 0 ? '>= ' : ''}${formatLength(value)}`;
}

/** Returns P50 and P90 with waiting changes, such as `3.0 h, > 12 d`. */
export function formatWithWaiting({ p50, p90 }: Pick<WithWaiting, 'p50' | 'p90'>, atLeast = 0): string {
  const known = [p50, p90].filter((figure) => figure !== undefined);
  return known.map(({ value, isBeyond }) => (isBeyond ? `> ${formatLength(value)}` : formatBound(value, atLeast))).join(', ');
}

/** Returns a share from 0 to 1 as `97 %`; empty if it is unknown. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? '' : `${Math.round(share * 100)} %`;
}

/** Returns the figures of all changes together, for the trailing weeks up to the end of each week. The last week may not be over. */
export function weekGrid(trend: readonly TrendPoint[], question: ReportQuestion): Grid {
  const { to } = timeOfFigures(question);
  const rows = trend.map(({ endsAt, p50, p90, ...counted }) => [
    endsAt <= to ? formatDay(endsAt) : formatMoment(to).replace(/ 00:00$/, ''),
    String(counted.n),
    formatP50(p50, counted),
    formatP90(p90, counted),
  ]);
  return { titles: ['weeks up to', 'n', 'P50 (95 %)', 'P90 (95 %)'], rows };
}
