import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { GroupBy } from '../report/question.js';
import type { ReportRow } from '../report/report.js';
import { formatP50, formatP90, formatShare, formatWithWaiting } from './figures.js';
import { formatLength } from './times.js';

/** The formats with tables. JSON has every column. */
type TableFormat = 'text' | 'markdown' | 'html';

/** `figures`: rows with a P50. `few`: rows with too few changes for one, which list each change. */
type TableKind = 'figures' | 'few';

/** Draws a value for each week as a row of characters. */
export type DrawWeeks = (values: readonly (number | undefined)[]) => string;

/** For tables without drawings. */
export const NO_WEEKS: DrawWeeks = () => '';

/**
 * A column of a report. Text, Markdown, HTML, the JSON answer and its schema all come from these: a new column is one entry in
 * `reportColumns`.
 */
export interface ReportColumn {
  /** The field of a row in the JSON answer. */
  readonly key: string;
  readonly value: (row: ReportRow) => unknown;
  /** The field in the JSON schema. */
  readonly schema: Readonly<Record<string, unknown>>;
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
  /** Returns a sentence below a table on a terminal. `weeks`: the number of weeks drawn. */
  readonly note?: (weeks: number) => string;
}

/** The number of weeks drawn if there is room. */
export const MOST_WEEKS = 12;

const nullable = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const count = (description: string): Readonly<Record<string, unknown>> => ({ description, type: 'integer', minimum: 0 });

const NO_P50 = `Null with fewer than ${LEAST_FOR_P50} changes.`;
const NO_P90 = `Null with fewer than ${LEAST_FOR_P90} changes.`;

const SURVIVAL_FIGURE = (description: string): object => ({
  description,
  ...nullable({
    type: 'object',
    additionalProperties: false,
    required: ['value', 'isBeyond'],
    properties: {
      value: { description: 'Microseconds.', type: 'number' },
      isBeyond: {
        description: 'Whether the figure is longer than the value. Too few changes have arrived to say by how much.',
        type: 'boolean',
      },
    },
  }),
});

const WITH_WAITING = {
  type: 'object',
  additionalProperties: false,
  required: ['n', 'waiting', 'p50', 'p90'],
  properties: {
    n: count('The number of changes that became ready.'),
    waiting: count('The number of them that have not arrived.'),
    p50: SURVIVAL_FIGURE(NO_P50),
    p90: SURVIVAL_FIGURE(NO_P90),
  },
};

/** Returns the columns of a report with a row for each package, team, repository or stage. */
export function reportColumns(by: GroupBy): readonly ReportColumn[] {
  return [
    {
      key: 'group',
      value: ({ group }) => group,
      schema: { description: 'The name of a package, team, repository or stage.', type: 'string' },
      heading: by,
      cell: ({ group }) => group,
      kind: 'name',
    },
    {
      key: 'n',
      value: ({ n }) => n,
      schema: count('The number of changes that ended in the last weeks.'),
      heading: 'n',
      cell: ({ n }) => String(n),
      kind: 'count',
    },
    {
      key: 'releases',
      value: ({ releases }) => releases,
      schema: count('The number of releases that published them.'),
      heading: 'releases',
      cell: ({ releases }) => String(releases),
      kind: 'count',
      formats: ['markdown'],
    },
    {
      key: 'coverage',
      value: ({ coverage }) => coverage,
      schema: {
        description:
          'The share of the changes that became ready in these weeks and have arrived, from 0 to 1; null if none became ready. By stage: the share of all stages together.',
        ...nullable({ type: 'number' }),
      },
      heading: 'arrived',
      cell: ({ coverage }) => formatShare(coverage),
      kind: 'count',
    },
    {
      key: 'withWaiting',
      value: ({ withWaiting }) => withWaiting,
      schema: {
        description:
          'P50 and P90 of the changes that became ready in these weeks, by the Kaplan-Meier estimate. It counts a waiting change as longer than its wait so far. null if no change waits, and by stage.',
        ...nullable(WITH_WAITING),
      },
      heading: 'with waiting: P50, P90',
      headingIn: { text: 'with waiting' },
      cell: ({ withWaiting }) => (withWaiting === undefined ? '' : formatWithWaiting(withWaiting)),
      kind: 'figure',
      table: 'figures',
      isOptional: true,
      note: () =>
        'With waiting: P50 and P90 of the changes that were ready, where a waiting change counts as longer than it has waited (Kaplan-Meier).',
    },
    {
      key: 'p50',
      value: ({ p50 }) => p50,
      schema: { description: NO_P50, ...nullable({ $ref: '#/definitions/figure' }) },
      heading: 'P50 (95 %)',
      headingIn: { text: 'P50' },
      cell: ({ p50, n }) => formatP50(p50, n),
      kind: 'figure',
      table: 'figures',
      note: () => 'Brackets: 95 % interval that counts releases, not changes. Omitted where too few releases contribute.',
    },
    {
      key: 'p90',
      value: ({ p90 }) => p90,
      schema: { description: NO_P90, ...nullable({ $ref: '#/definitions/figure' }) },
      heading: 'P90 (95 %)',
      headingIn: { text: 'P90' },
      cell: ({ p90, n }) => formatP90(p90, n),
      kind: 'figure',
      table: 'figures',
    },
    {
      key: 'values',
      value: ({ values }) => values,
      schema: {
        description: `Each change, ascending, if there are fewer than ${LEAST_FOR_P50}; else empty.`,
        type: 'array',
        items: { type: 'number' },
      },
      heading: 'each change',
      cell: ({ values }) => values.map(formatLength).join(', '),
      kind: 'list',
      table: 'few',
    },
    {
      key: 'points',
      value: ({ points }) => points,
      schema: {
        description: 'One entry for each week of the report, in order, over the trailing weeks up to its end.',
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['endsAt', 'n', 'p50', 'p90'],
          properties: {
            endsAt: { description: 'When the week ends. Microseconds since 1970-01-01T00:00:00Z.', type: 'integer' },
            n: count('The number of changes that ended in the trailing weeks.'),
            p50: { description: NO_P50, ...nullable({ type: 'number' }) },
            p90: { description: NO_P90, ...nullable({ type: 'number' }) },
          },
        },
      },
      heading: 'weeks',
      headingIn: { markdown: `P50 of ${MOST_WEEKS} weeks` },
      cell: ({ points }, draw) => draw(points.map(({ p50 }) => p50)),
      kind: 'drawing',
      formats: ['text', 'markdown'],
      table: 'figures',
      note: (weeks) => `The column of weeks shows the P50 of the last ${weeks}.`,
    },
  ];
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
  const shown = rows.filter(({ n }) => n >= LEAST_FOR_P50 === (table === 'figures'));
  const isEmpty = ({ isOptional, cell }: ReportColumn): boolean => isOptional === true && shown.every((row) => cell(row, NO_WEEKS) === '');
  return {
    columns: own
      .filter((column) => !isEmpty(column))
      .map((column) => ({ ...column, heading: column.headingIn?.[format] ?? column.heading })),
    rows: shown,
  };
}

/** Returns a row of the JSON answer. */
export function rowDocument(columns: readonly ReportColumn[], row: ReportRow): object {
  return Object.fromEntries(columns.map(({ key, value }) => [key, value(row)]));
}

/** Returns the schema of `rowDocument`. */
export function rowSchema(columns: readonly ReportColumn[]): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: columns.map(({ key }) => key),
    properties: Object.fromEntries(columns.map(({ key, schema }) => [key, schema])),
  };
}
