import { isSplit, type ReportDetails, type SingleChange } from '../../report/details.js';
import { closedInterval } from '../../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../../report/least.js';
import { movesIn, type PackageMove } from '../../report/migration.js';
import type { Figure, Report } from '../../report/report.js';
import { formatBound, weekGrid } from '../figures.js';
import type { NamedReport } from '../markdown/report.js';
import { nameOfStage } from '../names.js';
import { NO_WEEKS, type ReportColumn, type ReportTable, reportColumns, reportTable } from '../report-columns.js';
import {
  describeAtLeast,
  describeBias,
  describeFew,
  describeLeft,
  describeLimits,
  describeMigrations,
  describeNothing,
  describeQuestion,
  describeReport,
  describeUnknownOpen,
  headlineFigures,
  listSome,
  NOT_COUNTED,
  unchanged,
} from '../sentences.js';
import { formatDay, formatLength, formatMoment } from '../times.js';
import { countChart, trendChart, waterfallChart } from './charts.js';
import { behind, framePage, gridTable, list, withWholeFigures } from './frame.js';
import { html, type Markup } from './markup.js';
import { slowTable } from './slow-table.js';

export interface PageContent extends NamedReport {
  /** The program that wrote it, such as `commit-to-publish 1.2.0`. */
  readonly generator: string;
}

/**
 * Renders a report as one page for readers who run no command: what was measured, charts with their tables, and the limits of the figures.
 */
export function renderPage(content: PageContent, columns: readonly ReportColumn[] = reportColumns(content.report.question.by)): string {
  const { report, details, generator } = content;
  const isEmpty = report.rows.every(({ n }) => n === 0);
  const body = html`<p class="lead">${withWholeFigures(isEmpty ? describeNothing(report) : describeReport(report, details))}</p>
<p>${withWholeFigures(describeQuestion(report.question))}</p>
${report.rows.length === 0 ? '' : figures(content, columns)}
<section><h2>What these figures do not show</h2>${list(describeLimits(report))}</section>`;
  return framePage({ title: titleOf(content), body, generator });
}

/** Returns a title that says whose lead time it is. */
function titleOf({ report: { question, rows }, details }: PageContent): string {
  const names = question.by === 'team' && rows.length === 1 ? rows.map(({ group }) => group) : details.repos;
  return names.length === 0 ? 'Lead time of changes' : `Lead time of changes: ${listSome(names, unchanged)}`;
}

function figures({ report, details, migrations, subjects }: PageContent, columns: readonly ReportColumn[]): Markup {
  const moves = movesIn(migrations, report.question);
  const moved = describeMigrations(migrations, report.question);
  return html`${headline(details)}
<section><h2>Week by week</h2>
${legend(details, moves)}
${trendChart(details, { moves, question: report.question })}
${countChart(details, report.question)}
${moved === '' ? '' : html`<p>${moved}</p>`}
${behind('The figures behind these charts', html`${gridTable('Week by week', weekGrid(details.trend, report.question))}${singleTable(details.single)}${moveTable(moves)}`)}
</section>
${stages(details)}
<section><h2>By ${report.question.by}</h2>${groupTables(report, columns)}</section>
${details.slowest.length === 0 ? '' : html`<section><h2>The slowest changes</h2>${slowTable('The slowest changes', details.slowest, subjects)}</section>`}`;
}

function headline(details: ReportDetails): Markup {
  const { trend, withWaiting, previous } = details;
  const last = trend.at(-1);
  const figures = headlineFigures(details);
  const written = (key: 'p50' | 'p90', least: number): Markup => {
    const text = figures[key]?.replace(/^at most /, '');
    const before = previous[key];
    if (text === undefined) return html`too few<small>fewer than ${least} changes</small>`;
    return html`${withWholeFigures(text)}${small(figures.isOfReady ? ofArrived(last?.[key], last?.atLeast) : around(last?.[key]))}${small(before === undefined ? '' : `${formatLength(before)} in as many weeks before`)}`;
  };
  const waiting = withWaiting === undefined ? '' : `${withWaiting.waiting} of ${withWaiting.n} that were ready still waiting`;
  return html`<dl class="headline">
<div><dt>P50${figures.isOfReady ? ', with waiting' : ''}</dt><dd>${written('p50', LEAST_FOR_P50)}</dd></div>
<div><dt>P90${figures.isOfReady ? ', with waiting' : ''}</dt><dd>${written('p90', LEAST_FOR_P90)}</dd></div>
<div><dt>Changes that arrived</dt><dd>${last?.n ?? 0}${small(waiting)}</dd></div>
</dl>`;
}

function small(text: string): Markup {
  return text === '' ? html`` : html`<small>${text}</small>`;
}

function around(figure: Figure | undefined): string {
  const interval = closedInterval(figure);
  return interval === undefined ? '' : `${formatLength(interval.low)} to ${formatLength(interval.high)}`;
}

function ofArrived(figure: Figure | undefined, atLeast = 0): string {
  return figure === undefined ? '' : `${formatBound(figure.value, atLeast)} of those that arrived`;
}

/** Returns the legend of the signs that the chart has. */
function legend({ trend, single }: ReportDetails, moves: readonly PackageMove[]): Markup {
  const signs: readonly (readonly [sign: string, text: string, isThere: boolean])[] = [
    ['p50', 'P50', trend.some(({ p50 }) => p50 !== undefined)],
    ['p90', 'P90', trend.some(({ p90 }) => p90 !== undefined)],
    ['band', '95 % interval of P90', trend.some(({ p90 }) => closedInterval(p90) !== undefined)],
    ['bound', 'at least', [...trend.filter(({ p50 }) => p50 !== undefined), ...single].some(({ atLeast }) => atLeast > 0)],
    ['single', `one change, if there are fewer than ${LEAST_FOR_P50}`, single.length > 0],
    ['move', 'packages moved in', moves.length > 0],
  ];
  return html`<p class="legend">${signs.flatMap(([sign, text, isThere]) => (isThere ? [html`<span class="${sign}">${text}</span> `] : []))}</p>`;
}

function singleTable(single: readonly SingleChange[]): Markup {
  if (single.length === 0) return html``;
  const rows = single.map(({ endedAt, total, atLeast }) => [formatMoment(endedAt), formatBound(total, atLeast)]);
  return html`<h3>One by one, if there are fewer than ${LEAST_FOR_P50}</h3>${gridTable('One by one', { titles: ['arrived', 'took'], rows })}`;
}

/** Returns the moves with the numbers that label them in a chart if there are many. */
function moveTable(moves: readonly PackageMove[]): Markup {
  if (moves.length === 0) return html``;
  const rows = moves.map(({ at, packages }, index) => [packages.join(', '), String(index + 1), formatDay(at)]);
  return html`<h3>Moved into the monorepo</h3>${gridTable('Moved into the monorepo', { titles: ['packages', 'number', 'on'], rows })}`;
}

/** Shown instead of a chart that would have a single bar. */
const NOT_SPLIT =
  'Only the total from merge to publication is known. Pull requests, checks and jobs from GitHub would split it into tests, waiting and publishing; events from your pipeline would too. The guide "Measure how long changes take to a release" explains how to add them.';

const NO_STAGES = 'the changes around the median cannot be split into stages';

function stages({ waterfall, unknownOpen }: ReportDetails): Markup {
  if (unknownOpen > 0) return html`<section><h2>Where the time goes</h2><p>${describeUnknownOpen(unknownOpen, NO_STAGES)}</p></section>`;
  if (waterfall === undefined) return html``;
  const total = waterfall.stages.reduce((sum, { length }) => sum + length, 0);
  const isBound = (waterfall.stages.at(-1)?.atLeast ?? 0) > 0;
  if (!isSplit(waterfall)) return html`<section><h2>Where the time goes</h2><p>${NOT_SPLIT}</p></section>`;
  const rows = waterfall.stages.map(({ stage, whose, length, atLeast }) => [
    nameOfStage({ stage, whose }),
    formatBound(length, atLeast),
    total === 0 ? '' : `${Math.round((100 * length) / total)} %`,
  ]);
  return html`<section><h2>Where the time goes</h2>
<p>The ${waterfall.n} changes around the median took ${isBound ? 'at least ' : ''}${formatLength(total)} on average. The stages are means of the same changes, so they add up.</p>
${waterfallChart(waterfall)}
${behind('The figures behind this chart', gridTable('Stages', { titles: ['stage', 'took', 'share'], rows }))}
</section>`;
}

/** Returns tables of the rows. Those with too few changes for a percentile are separate, and list each change. */
function groupTables({ rows, left, unknownOpen, question }: Report, columns: readonly ReportColumn[]): Markup {
  const figures = reportTable(columns, rows, { format: 'html', table: 'figures' });
  const few = reportTable(columns, rows, { format: 'html', table: 'few' });
  const title = `By ${question.by}`;
  return html`${figures.rows.length === 0 ? html`<p>None has ${LEAST_FOR_P50} changes in these weeks.</p>` : rowTable(title, figures)}
<p>${describeLeft({ rows, left })} ${describeFew(rows)} ${describeAtLeast(rows)} ${describeBias(rows)} ${describeUnknownOpen(unknownOpen, NOT_COUNTED)}</p>
${few.rows.length === 0 ? '' : behind(`${few.rows.length} with fewer than ${LEAST_FOR_P50} changes, one by one`, rowTable(`${title}, few changes`, few))}`;
}

function rowTable(label: string, { columns, rows }: ReportTable): Markup {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row, NO_WEEKS)));
  return gridTable(label, { titles: columns.map(({ heading }) => heading), rows: cells });
}
