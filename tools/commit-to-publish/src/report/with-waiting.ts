import { survivalPercentiles, type WaitingTime } from '../statistics/survival.js';
import type { Figures } from './figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';
import type { ReportRow, WithWaiting } from './report.js';

/** Returns P50 and P90 of changes of which some wait; `undefined` if none waits, because the plain figures are then complete. */
export function withWaitingOf(times: readonly WaitingTime[]): WithWaiting | undefined {
  const [n, waiting] = [times.length, times.filter(({ hasArrived }) => !hasArrived).length];
  if (waiting === 0) return undefined;
  const [p50, p90] = survivalPercentiles(times, [0.5, 0.9]);
  return { n, waiting, p50: n < LEAST_FOR_P50 ? undefined : p50, p90: n < LEAST_FOR_P90 ? undefined : p90 };
}

/** The relative difference from the plain figure above which a figure is reported. */
const TELLING = 0.1;

/** Returns the figures of a row that differ by more than 10 % from those with waiting changes. */
export function figuresThatDiffer(row: Pick<ReportRow, 'withWaiting'> & Figures): readonly ('P50' | 'P90')[] {
  return (['p50', 'p90'] as const).flatMap((key) => {
    const [plain, estimate] = [row[key]?.value, row.withWaiting?.[key]];
    if (plain === undefined || estimate === undefined) return [];
    const isSure = !estimate.isBeyond || estimate.value > plain;
    // A figure beyond a time that is shorter than the plain figure may equal the plain figure.
    return isSure && Math.abs(estimate.value - plain) > TELLING * plain ? [key.toUpperCase() as 'P50' | 'P90'] : [];
  });
}
