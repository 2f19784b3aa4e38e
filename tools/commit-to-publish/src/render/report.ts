import { stripVTControlCharacters } from 'node:util';
import { type Column, formatTable } from '@tributary/terminal/table';
import type { Migration } from '../report/migration.js';
import type { Report, ReportRow } from '../report/report.js';
import { type DrawWeeks, MOST_WEEKS, NO_WEEKS, type ReportColumn, type ReportTable, reportColumns, reportTable } from './report-columns.js';
import {
  describeBias,
  describeMigrations,
  describeNothing,
  describeQuestion,
  describeRollUps,
  describeUnapproved,
  describeWaiting,
  shortOn,
} from './sentences.js';
import { sparkline } from './signs.js';
import type { TextStyle } from './text-style.js';

/** A report, and what moved into the monorepo at any time. */
export interface ReportContent {
  readonly report: Report;
  readonly migrations: readonly Migration[];
}

/** Renders a report for a terminal: what was measured, a row for each group, and what the figures do not say. */
export function renderReport(
  { report, migrations }: ReportContent,
  style: TextStyle,
  columns: readonly ReportColumn[] = reportColumns(report.question.by),
): string {
  const { question, rows, rollUps, waiting, unapproved } = report;
  const short = shortOn(style);
  if (rows.length === 0) return `${describeQuestion(question, short)}\n\n${describeNothing(report, short)}`;
  const { figures, notes } = formatFigures(reportTable(columns, rows, { format: 'text', table: 'figures' }), style);
  const sentences = [
    notes,
    describeRollUps(rollUps, report),
    describeMigrations(migrations, question, short),
    describeWaiting(waiting),
    describeBias(rows, short),
    describeUnapproved(unapproved),
  ];
  const parts = [
    describeQuestion(question, short),
    figures,
    formatFew(reportTable(columns, rows, { format: 'text', table: 'few' }), style),
    sentences.filter((sentence) => sentence !== '').join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** How many weeks may be drawn, from most to none. */
const WEEKS = [MOST_WEEKS, 8, 4, 0];

/** Wide enough for all weeks beside intervals. */
const WIDE = 100;

interface FiguresText {
  readonly figures: string;
  readonly notes: string;
}

/** The rows with as many weeks as the terminal is wide enough for: a drawing that goes on in the next line says nothing. */
function formatFigures(table: ReportTable, style: TextStyle): FiguresText {
  if (table.rows.length === 0) return { figures: '', notes: '' };
  const most = style.width < WIDE ? 8 : MOST_WEEKS;
  const tables = WEEKS.filter((weeks) => weeks <= most).map((weeks) => formatWithWeeks(table, weeks, style));
  const fits = ({ figures }: FiguresText): boolean =>
    figures.split('\n').every((line) => stripVTControlCharacters(line).length <= style.width);
  return tables.find(fits) ?? formatWithWeeks(table, 0, style);
}

function formatWithWeeks({ columns, rows }: ReportTable, weeks: number, style: TextStyle): FiguresText {
  const shown = columns.filter(({ kind }) => weeks > 0 || kind !== 'drawing');
  const draw: DrawWeeks = (values) => sparkline(values.slice(-weeks), style.signs);
  const cells = rows.map((row) => shown.map(({ cell }) => cell(row, draw)));
  // The first column may be cut where the last one is drawn. Names tell more at their end.
  const settings = shown.map((column, at): Column => (at === 0 ? { ...settingOf(column), shrink: 'start' } : settingOf(column)));
  const notes = shown.flatMap(({ note }) => (note === undefined ? [] : [note(weeks)]));
  return { figures: formatTable({ columns: settings, rows: cells, styleTitle: style.bold }, style.width), notes: notes.join(' ') };
}

/** Before a list, which may go on in the next line, names are short. */
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
