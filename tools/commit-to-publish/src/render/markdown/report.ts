import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import type { ReportDetails, SlowChange, TrendPoint, Waterfall } from '../../report/details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../../report/least.js';
import type { Migration } from '../../report/migration.js';
import type { Report, ReportRow } from '../../report/report.js';
import { nameOfStage, shortName } from '../names.js';
import { figureOf, formatEach, formatFigure } from '../report.js';
import {
  describeLimits,
  describeMigrations,
  describeNothing,
  describeQuestion,
  describeRollUps,
  describeUnapproved,
  describeWaiting,
} from '../sentences.js';
import { sparkline } from '../signs.js';
import { formatDay, formatLength, formatMoment } from '../times.js';
import { folded, joinParts, link, unbroken } from './parts.js';

export interface ReportContent {
  readonly report: Report;
  readonly details: ReportDetails;
  readonly migrations: readonly Migration[];
}

/** A report in Markdown, as the summary of a job or a comment in a pull request: the figures at the top, what is behind them folded. */
export function formatReport({ report, details, migrations }: ReportContent): string {
  const { question, rows, rollUps, waiting, unapproved } = report;
  if (rows.length === 0) return joinParts(['## Lead time of changes', describeQuestion(question, code), describeNothing(report, code)]);
  return joinParts([
    `## Lead time of changes${headline(details.trend.at(-1))}`,
    describeQuestion(question, code),
    rowTable(report),
    describeRollUps(rollUps, rows),
    describeMigrations(migrations, question, code),
    describeWaiting(waiting),
    describeUnapproved(unapproved),
    folded('Week by week, all changes together', weekTable(details.trend)),
    stages(details.waterfall),
    folded('The changes that took longest', slowTable(details.slowest)),
    folded(
      'What these figures do not say',
      describeLimits(report, code)
        .map((sentence) => `- ${sentence}`)
        .join('\n'),
    ),
  ]);
}

function headline(last: TrendPoint | undefined): string {
  const figures = [
    ...(last?.p50 === undefined ? [] : [`P50 ${formatLength(last.p50)}`]),
    ...(last?.p90 === undefined ? [] : [`P90 ${formatLength(last.p90)}`]),
  ];
  return figures.length === 0 ? '' : `: ${figures.join(', ')}`;
}

const WEEKS = 12;

function rowTable({ rows, question }: Report): string {
  const enough = rows.filter(({ n }) => n >= LEAST_FOR_P50);
  const few = rows.filter(({ n }) => n < LEAST_FOR_P50);
  const head = [question.by, 'n', 'releases', 'arrived', 'P50 (95 %)', 'P90 (95 %)', `P50 of ${WEEKS} weeks`];
  const figures = enough.length === 0 ? '' : table(head, enough.map(cells), LARGEST_SUMMARY / 4);
  const each = table([question.by, 'n', 'releases', 'arrived', 'each change'], few.map(fewCells), LARGEST_SUMMARY / 4);
  const title = `${few.length} with fewer than ${LEAST_FOR_P50} changes, one by one`;
  return [figures, few.length === 0 ? '' : folded(title, each)].filter((part) => part !== '').join('\n\n');
}

function cells(row: ReportRow): readonly string[] {
  const { n, p50, p90, points } = row;
  const weeks = sparkline(
    points.slice(-WEEKS).map((point) => point.p50),
    'unicode',
  );
  return [
    ...commonCells(row),
    unbroken(formatFigure(p50, { n, least: LEAST_FOR_P50 })),
    unbroken(formatFigure(p90, { n, least: LEAST_FOR_P90 })),
    // Of a width for every sign, and no blank at an end is lost.
    code(weeks),
  ];
}

function fewCells(row: ReportRow): readonly string[] {
  return [...commonCells(row), formatEach(row.values)];
}

function commonCells({ group, n, releases, coverage }: ReportRow): readonly string[] {
  return [code(group), String(n), String(releases), coverage === undefined ? '' : `${Math.round(coverage * 100)} %`];
}

/** The newest first: that is what somebody looks for. */
function weekTable(trend: readonly TrendPoint[]): string {
  const rows = trend.map(({ endsAt, n, p50, p90, p50Interval, p90Interval }) => [
    formatDay(endsAt),
    String(n),
    unbroken(formatFigure(figureOf(p50, p50Interval), { n, least: LEAST_FOR_P50 })),
    unbroken(formatFigure(figureOf(p90, p90Interval), { n, least: LEAST_FOR_P90 })),
  ]);
  return table(['weeks up to', 'n', 'P50 (95 %)', 'P90 (95 %)'], rows.reverse(), LARGEST_SUMMARY / 8);
}

function stages(waterfall: Waterfall | undefined): string {
  if (waterfall === undefined) return '';
  const rows = waterfall.stages.map((stage) => [nameOfStage(stage), formatLength(stage.length)]);
  const title = `Where the time goes: the ${waterfall.n} changes nearest to the median, stage by stage`;
  return folded(title, table(['stage', 'mean'], rows, LARGEST_SUMMARY / 8));
}

function slowTable(slowest: readonly SlowChange[]): string {
  const rows = slowest.map(({ repo, change, url, package: name, release, endedAt, total }) => [
    link(`${repo} ${shortName(change)}`, url),
    code(name),
    code(release ?? ''),
    formatMoment(endedAt),
    formatLength(total),
  ]);
  return rows.length === 0 ? '' : table(['change', 'package', 'release', 'arrived (UTC)', 'took'], rows, LARGEST_SUMMARY / 8);
}
