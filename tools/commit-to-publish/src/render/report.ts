import { formatTable } from '@tributary/terminal/table';
import sparkly from 'sparkly';
import type { ReportQuestion } from '../report/question.js';
import { type Figure, LEAST_FOR_P50, LEAST_FOR_P90, type Report, type ReportRow } from '../report/report.js';
import { formatDay, formatLength } from './times.js';

/** Where a text is shown. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** A report for a terminal: what was measured, a row for each group, and what the figures do not say. */
export function renderReport(report: Report, page: Page): string {
  const { question, rows } = report;
  if (rows.length === 0) return `${describeQuestion(question)}\n\nNothing has arrived in this time.${waiting(report)}`;
  const titles = [question.by, 'n', 'arrived', 'P50', 'P90', 'weeks'];
  const table = formatTable(
    {
      columns: titles.map((title, at) => (at === 0 ? { title, shrink: 'end' } : { title, align: at === 5 ? 'left' : 'right' })),
      rows: rows.map(cells),
      styleTitle: page.bold,
    },
    page.width,
  );
  return [describeQuestion(question), table, notes(report)].join('\n\n');
}

/** What was measured, in sentences. */
export function describeQuestion({ lead, weeks, until, actor, method }: ReportQuestion): string {
  const ends = { published: 'published', upgraded: "the consumer's upgrade", released: "the consumer's release" }[lead.until];
  const who = actor === 'all' ? '' : `, changes of ${actor === 'bot' ? 'bots' : 'people'} only`;
  const percentile = method === 'linear' ? 'linear between two values' : 'nearest rank';
  return `From ${lead.ready} to ${ends}: the ${weeks} weeks up to ${formatDay(until)}. Publications: ${[...lead.channels].join(', ')}${who}. Percentiles: ${percentile}.`;
}

function cells(row: ReportRow): readonly string[] {
  const { group, n, coverage, p50, p90, points } = row;
  return [
    group,
    String(n),
    coverage === undefined ? '' : `${Math.round(coverage * 100)} %`,
    formatFigure(p50, { n, least: LEAST_FOR_P50 }),
    formatFigure(p90, { n, least: LEAST_FOR_P90 }),
    trend(points),
  ];
}

/** A figure with its interval, or why there is none. */
export function formatFigure(known: Figure | undefined, { n, least }: { readonly n: number; readonly least: number }): string {
  if (known === undefined) return n === 0 ? '' : `n < ${least}`;
  const { interval } = known;
  return `${formatLength(known.value)}${interval === undefined ? '' : ` (${formatLength(interval.low)} - ${formatLength(interval.high)})`}`;
}

/** P50 of the last weeks; a gap where too few changes ended. */
function trend(points: ReportRow['points']): string {
  const last = points.slice(-12).map(({ p50 }) => p50 ?? Number.NaN);
  return last.every((value) => Number.isNaN(value))
    ? ''
    : sparkly(
        last.map((value) => (Number.isNaN(value) ? '' : value)),
        { minimum: 0 },
      );
}

function notes(report: Report): string {
  const { rows, question } = report;
  const few = rows.filter(({ n }) => n > 0 && n < LEAST_FOR_P50).length;
  return [
    'In brackets the interval that 95 % of the draws of whole releases fall into; without one, all came with one release. The column of weeks shows the P50 of the last twelve.',
    ...(few === 0
      ? []
      : [
          `${few} of ${rows.length} rows have fewer than ${LEAST_FOR_P50} changes, of which nothing can be said.${question.by === 'package' ? ' Take them together with --by team or --by repo, or a longer --window.' : ''}`,
        ]),
    ...(report.waiting === 0 ? [] : [waiting(report).trim()]),
  ].join('\n');
}

function waiting({ waiting: count }: Report): string {
  return count === 0 ? '' : ` ${count} of the changes of these weeks have not arrived yet: the figures are of those that have.`;
}
