import { type Column, fitsSideBySide, formatTable } from '@tributary/terminal/table';
import type { ReportDetails } from '../report/details.js';
import type { Migration } from '../report/migration.js';
import type { Report, ReportRow } from '../report/report.js';
import { type DrawWeeks, MOST_WEEKS, NO_WEEKS, type ReportColumn, type ReportTable, reportColumns, reportTable } from './report-columns.js';
import { describeNothing, describeQuestion, describeRows, shortOn } from './sentences.js';
import { sparkline } from './signs.js';
import type { TextStyle } from './text-style.js';

/** A report, and all imports into the monorepo, of any time. */
export interface ReportContent {
  readonly report: Report;
  readonly migrations: readonly Migration[];
}

/** A report with what the page, Markdown and JSON have beside its rows. */
export interface DetailedReport extends ReportContent {
  readonly details: ReportDetails;
}

/** Renders a report for a terminal: the question, a row for each group, and the limits of the figures. */
export function renderReport(
  { report, migrations }: ReportContent,
  style: TextStyle,
  columns: readonly ReportColumn[] = reportColumns(report.question.by),
): string {
  const { question, rows } = report;
  const short = shortOn(style);
  if (rows.every(({ n }) => n === 0)) return `${describeQuestion(question, short)}\n\n${describeNothing(report, short)}`;
  const { figures, notes } = formatFigures(reportTable(columns, rows, { format: 'text', table: 'figures' }), style);
  const parts = [
    describeQuestion(question, short),
    figures,
    formatFew(reportTable(columns, rows, { format: 'text', table: 'few' }), style),
    [...(notes === '' ? [] : [notes]), ...describeRows(report, migrations, short)].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The numbers of weeks that may be drawn, from most to none. */
const WEEKS = [MOST_WEEKS, 8, 4, 0];

/** The width, in columns, to which names may be cut beside weeks. */
const LEAST_NAME = 16;

/** The width, in columns, at which all weeks fit beside intervals. */
const WIDE = 100;

interface FiguresText {
  readonly figures: string;
  readonly notes: string;
  readonly fits: boolean;
}

/** Formats the rows with as many weeks as fit the terminal, because a drawing that wraps is unreadable. */
function formatFigures(table: ReportTable, style: TextStyle): FiguresText {
  if (table.rows.length === 0) return { figures: '', notes: '', fits: true };
  const most = style.width < WIDE ? 8 : MOST_WEEKS;
  const tables = WEEKS.filter((weeks) => weeks <= most).map((weeks) => formatWithWeeks(table, weeks, style));
  return tables.find(({ fits }) => fits) ?? formatWithWeeks(table, 0, style);
}

function formatWithWeeks({ columns, rows }: ReportTable, weeks: number, style: TextStyle): FiguresText {
  const shown = columns.filter(({ kind }) => weeks > 0 || kind !== 'drawing');
  const draw: DrawWeeks = (values) => sparkline(values.slice(-weeks), style.signs);
  const cells = rows.map((row) => shown.map(({ cell }) => cell(row, draw)));
  // The end of a name tells more than its start, and half of a name more than a drawing.
  const name = { shrink: 'start', ...(weeks > 0 ? { least: LEAST_NAME } : {}) } as const;
  const settings = shown.map((column, at): Column => (at === 0 ? { ...settingOf(column), ...name } : settingOf(column)));
  const notes = shown.flatMap(({ note }) => (note === undefined ? [] : [note({ weeks, rows })])).filter((sentence) => sentence !== '');
  const text = { columns: settings, rows: cells, styleTitle: style.bold };
  return { figures: formatTable(text, style.width), notes: notes.join(' '), fits: fitsSideBySide(text, style.width) };
}

/** Shortens names, because a list after them may wrap. */
function formatFew({ columns, rows }: ReportTable, style: TextStyle): string {
  if (rows.length === 0) return '';
  const short = shortOn(style);
  const cellOf = ({ kind, cell }: ReportColumn, row: ReportRow): string =>
    kind === 'name' ? short(cell(row, NO_WEEKS)) : cell(row, NO_WEEKS);
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  return formatTable({ columns: columns.map(settingOf), rows: cells, styleTitle: style.bold }, style.width);
}

function settingOf({ heading, kind }: ReportColumn): Column {
  return { title: heading, align: kind === 'count' || kind === 'figure' ? 'right' : 'left' };
}
