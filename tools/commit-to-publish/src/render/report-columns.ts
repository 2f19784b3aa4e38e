import { closedInterval } from '../report/figures.js';
import { LEAST_FOR_P50 } from '../report/least.js';
import type { GroupBy } from '../report/question.js';
import type { ReportRow } from '../report/report.js';
import { formatBound, formatP50, formatP90, formatShare, formatWithWaiting } from './figures.js';

/** The formats with tables. */
type TableFormat = 'text' | 'markdown' | 'html';

/** `figures`: rows with a P50. `few`: rows with too few changes for one, which list each change. */
type TableKind = 'figures' | 'few';

/** Draws a value for each week as a row of characters. */
export type DrawWeeks = (values: readonly (number | undefined)[]) => string;

/** For tables without drawings. */
export const NO_WEEKS: DrawWeeks = () => '';

/** A column of a report in text, Markdown and HTML: a new column is one entry in `reportColumns`. JSON has the rows themselves. */
export interface ReportColumn {
  /** The field of a row. */
  readonly key: string;
  readonly heading: string;
  /** Headings for formats that need a shorter or a longer one. */
  readonly headingIn?: Partial<Readonly<Record<TableFormat, string>>>;
  readonly cell: (row: ReportRow, draw: DrawWeeks) => string;
  /** The layout of cells: `name` holds text from others, `figure` never breaks over lines, `drawing` has a character for each week. */
  readonly kind: 'name' | 'count' | 'figure' | 'list' | 'drawing';
  /** The formats that show it; missing: all. */
  readonly formats?: readonly TableFormat[];
  /** The table that has it; missing: both. */
  readonly table?: TableKind;
  /** Omitted from a table if all its cells are empty. */
  readonly isOptional?: true;
  /** Returns a sentence below a table on a terminal, or nothing. `weeks`: the number of weeks drawn. */
  readonly note?: (shown: { readonly weeks: number; readonly rows: readonly ReportRow[] }) => string;
}

/** The number of weeks drawn if there is room. */
export const MOST_WEEKS = 12;

/** Returns the columns of a report with a row for each package, team, repository or stage. */
export function reportColumns(by: GroupBy): readonly ReportColumn[] {
  return [
    {
      key: 'group',
      heading: by,
      cell: ({ group }) => group,
      kind: 'name',
    },
    {
      key: 'n',
      heading: 'n',
      cell: ({ n }) => String(n),
      kind: 'count',
      note: () => (by === 'stage' ? 'n: changes whose stage is known.' : ''),
    },
    {
      key: 'releases',
      heading: 'releases',
      cell: ({ releases }) => String(releases),
      kind: 'count',
      formats: ['markdown'],
    },
    {
      key: 'coverage',
      heading: 'arrived',
      cell: ({ coverage }) => formatShare(coverage),
      kind: 'count',
    },
    {
      key: 'withWaiting',
      heading: 'with waiting: P50, P90',
      headingIn: { text: 'with waiting' },
      cell: ({ withWaiting, atLeast }) => (withWaiting === undefined ? '' : formatWithWaiting(withWaiting, atLeast)),
      kind: 'figure',
      table: 'figures',
      isOptional: true,
      note: () =>
        'With waiting: P50 and P90 of the changes that were ready, where a waiting change counts as longer than it has waited (Kaplan-Meier).',
    },
    {
      key: 'p50',
      heading: 'P50 (95 %)',
      headingIn: { text: 'P50' },
      cell: ({ p50, ...row }) => formatP50(p50, row),
      kind: 'figure',
      table: 'figures',
      note: ({ rows }) =>
        rows.some(({ p50, p90 }) => [p50, p90].some((figure) => closedInterval(figure) !== undefined))
          ? 'Brackets: 95 % interval that counts releases, not changes. Omitted where too few releases contribute.'
          : '',
    },
    {
      key: 'p90',
      heading: 'P90 (95 %)',
      headingIn: { text: 'P90' },
      cell: ({ p90, ...row }) => formatP90(p90, row),
      kind: 'figure',
      table: 'figures',
    },
    {
      key: 'values',
      heading: 'each change',
      cell: ({ values, bounds }) => values.map((value, at) => formatBound(value, Number(bounds[at] ?? false))).join(', '),
      kind: 'list',
      table: 'few',
    },
    {
      key: 'points',
      heading: 'weeks',
      headingIn: { markdown: `P50 of ${MOST_WEEKS} weeks` },
      cell: ({ points }, draw) => draw(points.map(({ p50, atLeast }) => (atLeast > 0 ? undefined : p50))),
      kind: 'drawing',
      formats: ['text', 'markdown'],
      table: 'figures',
      note: ({ weeks, rows }) => `The column of weeks shows the P50 of the last ${weeks}. ${describeGaps(rows, weeks)}`.trimEnd(),
    },
  ];
}

/** Describes the gaps in the drawn weeks of rows; empty if no week has a lower bound. */
export function describeGaps(rows: readonly Pick<ReportRow, 'points'>[], weeks: number): string {
  const isBound = rows.some(({ points }) => points.slice(-weeks).some(({ atLeast }) => atLeast > 0));
  return isBound ? 'A gap in the weeks is a lower bound, or no change.' : '';
}

/** A table of a report in one format. */
export interface ReportTable {
  /** The columns that the format shows in this table, each with its heading in the format. */
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
}

export function reportTable(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  { format, table }: { readonly format: TableFormat; readonly table: TableKind },
): ReportTable {
  const own = columns.filter((column) => (column.formats ?? [format]).includes(format) && (column.table ?? table) === table);
  // A row is there for earlier weeks too.
  const isOfThese = ({ n, coverage }: ReportRow): boolean => n > 0 || coverage !== undefined;
  const shown = rows.filter((row) => row.n >= LEAST_FOR_P50 === (table === 'figures') && isOfThese(row));
  const isEmpty = ({ isOptional, cell }: ReportColumn): boolean => isOptional === true && shown.every((row) => cell(row, NO_WEEKS) === '');
  return {
    columns: own
      .filter((column) => !isEmpty(column))
      .map((column) => ({ ...column, heading: column.headingIn?.[format] ?? column.heading })),
    rows: shown,
  };
}
