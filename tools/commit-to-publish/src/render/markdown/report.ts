import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { isSplit, type ReportDetails, type SlowChange, type TrendPoint, type Waterfall } from '../../report/details.js';
import { LEAST_FOR_P50 } from '../../report/least.js';
import type { ReportQuestion } from '../../report/question.js';
import type { Report } from '../../report/report.js';
import { formatBound, weekGrid } from '../figures.js';
import { nameOfChange, nameOfStage } from '../names.js';
import type { DetailedReport } from '../report.js';
import {
  type DrawWeeks,
  describeGaps,
  MOST_WEEKS,
  type ReportColumn,
  type ReportTable,
  reportColumns,
  reportTable,
} from '../report-columns.js';
import {
  describeLimits,
  describeNothing,
  describeQuestion,
  describeRows,
  describeUnknownOpen,
  headlineFigures,
  type Quote,
  unchanged,
} from '../sentences.js';
import { sparkline } from '../signs.js';
import { formatMoment } from '../times.js';
import { folded, joinParts, link, unbroken } from './parts.js';

export interface NamedReport extends DetailedReport {
  /** The subject lines of the slowest changes, by commit, if a clone has the commit. */
  readonly subjects: ReadonlyMap<string, string>;
}

/** Renders a report in Markdown, for the summary of a job or a comment on a pull request: the figures at the top, details folded. */
export function formatReport(
  { report, details, migrations, subjects }: NamedReport,
  columns: readonly ReportColumn[] = reportColumns(report.question.by),
): string {
  const { question, rows } = report;
  if (rows.every(({ n }) => n === 0))
    return joinParts(['## Lead time of changes', describeQuestion(question, code), describeNothing(report, code)]);
  return joinParts([
    `## Lead time of changes${headline(details)}`,
    describeQuestion(question, code),
    ...rowTables(columns, report),
    ...describeRows(report, migrations, code),
    describeGaps(report.rows, MOST_WEEKS),
    folded('Week by week, all changes together', weekTable(details.trend, report.question)),
    describeUnknownOpen(details.unknownOpen, 'the changes nearest to the median cannot be split into stages'),
    stages(details.waterfall),
    folded('The slowest changes', slowTable(details.slowest, subjects)),
    folded(
      'What these figures do not show',
      describeLimits(report, code)
        .map((sentence) => `- ${sentence}`)
        .join('\n'),
    ),
  ]);
}

function headline(details: ReportDetails): string {
  const { p50, p90, isOfReady } = headlineFigures(details);
  const figures = Object.entries({ P50: p50, P90: p90 }).flatMap(([key, text]) =>
    text === undefined ? [] : [`${key} ${text.replace(/^at most /, '')}`],
  );
  return figures.length === 0 ? '' : `: ${figures.join(', ')}${isOfReady ? ' (with waiting)' : ''}`;
}

function rowTables(columns: readonly ReportColumn[], { rows }: Report): readonly string[] {
  const figures = reportTable(columns, rows, { format: 'markdown', table: 'figures' });
  const few = reportTable(columns, rows, { format: 'markdown', table: 'few' });
  return [
    figures.rows.length === 0 ? '' : rowTable(figures),
    few.rows.length === 0 ? '' : folded(`${few.rows.length} with fewer than ${LEAST_FOR_P50} changes, one by one`, rowTable(few)),
  ];
}

function rowTable({ columns, rows }: ReportTable): string {
  const cells = rows.map((row) => columns.map(({ cell, kind }) => WRITTEN[kind](cell(row, drawWeeks))));
  return table(
    columns.map(({ heading }) => heading),
    cells,
    LARGEST_SUMMARY / 4,
  );
}

const WRITTEN: Readonly<Record<ReportColumn['kind'], Quote>> = {
  name: code,
  count: unchanged,
  figure: unbroken,
  list: unchanged,
  // Code has one width for every character, and keeps spaces at its ends.
  drawing: code,
};

const drawWeeks: DrawWeeks = (values) => sparkline(values.slice(-MOST_WEEKS), 'unicode');

/** Returns the weeks in a table, the newest first, because readers look for it. */
function weekTable(trend: readonly TrendPoint[], question: ReportQuestion): string {
  const { titles, rows } = weekGrid(trend, question);
  return table(titles, rows.map((row) => row.map(unbroken)).reverse(), LARGEST_SUMMARY / 8);
}

function stages(waterfall: Waterfall | undefined): string {
  if (waterfall === undefined || !isSplit(waterfall)) return '';
  const rows = waterfall.stages.map((stage) => [nameOfStage(stage), formatBound(stage.length, stage.atLeast)]);
  const title = `Where the time goes: the ${waterfall.n} changes nearest to the median, stage by stage`;
  return folded(title, table(['stage', 'mean'], rows, LARGEST_SUMMARY / 8));
}

function slowTable(slowest: readonly SlowChange[], subjects: ReadonlyMap<string, string>): string {
  const rows = slowest.map(({ repo, change, url, package: name, release, endedAt, total, atLeast }) => [
    link(`${repo} ${nameOfChange({ change, url }, subjects)}`, url),
    code(name),
    code(release ?? ''),
    formatMoment(endedAt),
    formatBound(total, atLeast),
  ]);
  return rows.length === 0 ? '' : table(['change', 'package', 'release', 'arrived (UTC)', 'took'], rows, LARGEST_SUMMARY / 8);
}
