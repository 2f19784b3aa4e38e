import { stripVTControlCharacters } from 'node:util';
import { type Column, formatTable } from '@tributary/terminal/table';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { Migration } from '../report/migration.js';
import type { Figure, Report, ReportRow } from '../report/report.js';
import type { Interval } from '../statistics/interval.js';
import {
  describeMigrations,
  describeNothing,
  describeQuestion,
  describeRollUps,
  describeUnapproved,
  describeWaiting,
  shortOn,
} from './sentences.js';
import { type Signs, sparkline } from './signs.js';
import { formatLength } from './times.js';

/** Where a text is shown. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly signs: Signs;
}

/** A report for a terminal: what was measured, a row for each group, and what the figures do not say. */
export function renderReport(report: Report, migrations: readonly Migration[], page: Page): string {
  const { question, rows } = report;
  const short = shortOn(page);
  if (rows.length === 0) return `${describeQuestion(question, short)}\n\n${describeNothing(report, short)}`;
  const enough = rows.filter(({ n }) => n >= LEAST_FOR_P50);
  const few = rows.filter(({ n }) => n < LEAST_FOR_P50);
  const { figures, weeks } = formatFigures(question.by, enough, page);
  const each = formatColumns(
    [question.by, 'n', 'arrived', 'each change'],
    few.map((row) => fewCells({ ...row, group: short(row.group) })),
    page,
  );
  const parts = [
    describeQuestion(question, short),
    enough.length === 0 ? '' : figures,
    few.length === 0 ? '' : each,
    notes(report, migrations, { weeks, page }),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** How many weeks may be drawn, from most to none. */
const WEEKS = [12, 8, 4, 0];

/** The rows with as many weeks as the page is wide enough for: a drawing that goes on in the next line says nothing. */
function formatFigures(by: string, rows: readonly ReportRow[], page: Page): { readonly figures: string; readonly weeks: number } {
  const titles = [by, 'n', 'arrived', 'P50', 'P90', 'weeks'];
  const format = (weeks: number): string =>
    formatColumns(
      weeks === 0 ? titles.slice(0, -1) : titles,
      rows.map((row) => cells(row, { weeks, page })),
      page,
    );
  const tables = WEEKS.filter((weeks) => weeks <= mostWeeks(page)).map((weeks) => ({ figures: format(weeks), weeks }));
  const fits = ({ figures }: { readonly figures: string }): boolean =>
    figures.split('\n').every((line) => stripVTControlCharacters(line).length <= page.width);
  return tables.find(fits) ?? { figures: format(0), weeks: 0 };
}

/** The first column may be cut where the last one is drawn. Before a list, which may go on in the next line, names are short already. Names tell more at their end. */
function formatColumns(titles: readonly string[], rows: readonly (readonly string[])[], page: Page): string {
  const isList = titles.at(-1) === 'each change';
  const columns = titles.map((title, at): Column => {
    if (at === 0) return isList ? { title } : { title, shrink: 'start' };
    return { title, align: title === 'weeks' || title === 'each change' ? 'left' : 'right' };
  });
  return formatTable({ columns, rows, styleTitle: page.bold }, page.width);
}

function cells(row: ReportRow, { weeks, page }: { readonly weeks: number; readonly page: Page }): readonly string[] {
  const { n, p50, p90, points } = row;
  return [
    ...commonCells(row),
    formatFigure(p50, { n, least: LEAST_FOR_P50 }),
    formatFigure(p90, { n, least: LEAST_FOR_P90 }),
    ...(weeks === 0 ? [] : [trend(points.slice(-weeks), page)]),
  ];
}

function fewCells(row: ReportRow): readonly string[] {
  return [...commonCells(row), formatEach(row.values)];
}

function commonCells({ group, n, coverage }: ReportRow): readonly string[] {
  return [group, String(n), coverage === undefined ? '' : `${Math.round(coverage * 100)} %`];
}

/** A figure with its interval, or why there is none. */
export function formatFigure(known: Figure | undefined, { n, least }: { readonly n: number; readonly least: number }): string {
  if (known === undefined) return n === 0 ? '' : `n < ${least}`;
  const { interval } = known;
  return `${formatLength(known.value)}${interval === undefined ? '' : ` (${formatLength(interval.low)} - ${formatLength(interval.high)})`}`;
}

/** `undefined` where there is no value. */
export function figureOf(value: number | undefined, interval: Interval | undefined): Figure | undefined {
  return value === undefined ? undefined : { value, interval };
}

/** Changes one by one, for a row that has too few for a percentile. */
export function formatEach(values: readonly number[]): string {
  return values.map(formatLength).join(', ');
}

/** Wide enough for twelve weeks beside intervals. */
const WIDE = 100;

function mostWeeks({ width }: Page): number {
  return width < WIDE ? 8 : 12;
}

/** P50 of weeks; a gap where too few changes ended. */
function trend(points: ReportRow['points'], page: Page): string {
  return sparkline(
    points.map(({ p50 }) => p50),
    page.signs,
  );
}

function notes(
  { rows, question, rollUps, waiting, unapproved }: Report,
  migrations: readonly Migration[],
  { weeks, page }: { readonly weeks: number; readonly page: Page },
): string {
  const hasFigures = rows.some(({ n }) => n >= LEAST_FOR_P50);
  const drawn = weeks === 0 ? '' : ` The column of weeks shows the P50 of the last ${weeks}.`;
  const sentences = [
    hasFigures
      ? `In brackets the interval that 95 % of the draws of whole releases fall into; without one, all came with one release.${drawn}`
      : '',
    describeRollUps(rollUps, rows),
    describeMigrations(migrations, question, shortOn(page)),
    describeWaiting(waiting),
    describeUnapproved(unapproved),
  ];
  return sentences.filter((sentence) => sentence !== '').join('\n');
}
