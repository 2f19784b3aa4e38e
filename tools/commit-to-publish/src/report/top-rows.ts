import type { Report, ReportRow } from './report.js';

/** What the first rows of a report have most of. */
export type RowOrder = 'p90' | 'n' | 'waiting';

export interface RowChoice {
  /** The number of rows to show; `undefined`: all. */
  readonly top: number | undefined;
  readonly order: RowOrder;
}

/** The rows of a table that fit a screen. */
export const SCREEN = 20;

/** Returns a report with its first rows only, and the number of the others. */
export function topRows(report: Report, { top = report.rows.length, order }: RowChoice): Report {
  const weightOf: Readonly<Record<RowOrder, (row: ReportRow) => number>> = {
    p90: () => 0,
    n: ({ n }) => n,
    waiting: ({ withWaiting }) => withWaiting?.waiting ?? 0,
  };
  const rows = [...report.rows].sort((a, b) => weightOf[order](b) - weightOf[order](a));
  return { ...report, rows: rows.slice(0, top), left: Math.max(0, rows.length - top) };
}
