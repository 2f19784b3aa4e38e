import type { Migration, ReportDetails, SlowChange, TrendPoint } from '../../report/details.js';
import { LEAST_FOR_P50, LEAST_FOR_P90, type Report, type ReportRow } from '../../report/report.js';
import { describeQuestion, formatFigure } from '../report.js';
import { formatDay, formatLength, formatMoment } from '../times.js';
import { countChart, trendChart, waterfallChart } from './charts.js';
import { html, Markup } from './markup.js';
import { STYLE } from './style.js';

export interface PageContent {
  readonly report: Report;
  readonly details: ReportDetails;
  readonly migrations: readonly Migration[];
  /** Who wrote it, such as `commit-to-publish 1.2.0`. */
  readonly generator: string;
}

/** A report as one file that needs no network: what was measured, charts with the tables behind them, and what the figures do not say. */
export function renderPage({ report, details, migrations, generator }: PageContent): string {
  const title = 'Lead time of changes';
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${describeQuestion(report.question)}</p>
${headline(details, report)}
<section><h2>Week by week</h2>
${legend()}
${trendChart(details, migrations)}
${countChart(details)}
${behind('The figures behind these charts', trendTable(details.trend))}
</section>
${stages(details)}
<section><h2>By ${report.question.by}</h2>${groupTable(report)}</section>
<section><h2>The changes that took longest</h2>${slowTable(details.slowest)}</section>
<section><h2>What these figures do not say</h2>${limits(report)}</section>
<footer>${generator}. Times are UTC.</footer>
</main>
</body>
</html>
`;
  return page.text;
}

function headline({ trend }: ReportDetails, { waiting }: Report): Markup {
  const last = trend.at(-1);
  const figure = (value: number | undefined, least: number): string => (value === undefined ? `n < ${least}` : formatLength(value));
  const interval = last?.p90Interval;
  return html`<dl class="headline">
<div><dt>P50</dt><dd>${figure(last?.p50, LEAST_FOR_P50)}</dd></div>
<div><dt>P90</dt><dd>${figure(last?.p90, LEAST_FOR_P90)}${interval === undefined ? '' : html`<small>${formatLength(interval.low)} to ${formatLength(interval.high)}</small>`}</dd></div>
<div><dt>Changes</dt><dd>${last?.n ?? 0}${waiting === 0 ? '' : html`<small>${waiting} have not arrived yet</small>`}</dd></div>
</dl>`;
}

function legend(): Markup {
  return html`<p class="legend"><span class="p50">P50</span> <span class="p90">P90</span> <span class="band">95 % interval of P90</span></p>`;
}

function behind(summary: string, table: Markup): Markup {
  return html`<details><summary>${summary}</summary>${table}</details>`;
}

function trendTable(trend: readonly TrendPoint[]): Markup {
  const rows = trend.map(({ endsAt, n, p50, p90, p90Interval }) => [
    formatDay(endsAt),
    String(n),
    p50 === undefined ? '' : formatLength(p50),
    p90 === undefined ? '' : formatLength(p90),
    p90Interval === undefined ? '' : `${formatLength(p90Interval.low)} to ${formatLength(p90Interval.high)}`,
  ]);
  return table('Week by week', ['weeks up to', 'n', 'P50', 'P90', '95 % interval'], rows);
}

function stages({ waterfall }: ReportDetails): Markup {
  if (waterfall === undefined) return html``;
  const total = waterfall.stages.reduce((sum, { length }) => sum + length, 0);
  const rows = waterfall.stages.map(({ stage, whose, length }) => [
    whose === 'consumer' ? `${stage}, consumer` : stage,
    formatLength(length),
    total === 0 ? '' : `${Math.round((100 * length) / total)} %`,
  ]);
  return html`<section><h2>Where the time goes</h2>
<p>The ${waterfall.n} changes around the median took ${formatLength(total)} on average. The stages are means of the same changes, so they add up.</p>
${waterfallChart(waterfall)}
${behind('The figures behind this chart', table('Stages', ['stage', 'took', 'share'], rows))}
</section>`;
}

/** Those of which nothing can be said stand apart. */
function groupTable({ rows, question }: Report): Markup {
  const cells = ({ group, n, coverage, p50, p90 }: ReportRow): readonly string[] => [
    group,
    String(n),
    coverage === undefined ? '' : `${Math.round(coverage * 100)} %`,
    formatFigure(p50, { n, least: LEAST_FOR_P50 }),
    formatFigure(p90, { n, least: LEAST_FOR_P90 }),
  ];
  const titles = [question.by, 'n', 'arrived', 'P50', 'P90'];
  const few = rows.filter(({ n }) => n < LEAST_FOR_P50);
  const enough = rows.filter(({ n }) => n >= LEAST_FOR_P50).map(cells);
  return html`${enough.length === 0 ? html`<p>None has ${LEAST_FOR_P50} changes in these weeks.</p>` : table(`By ${question.by}`, titles, enough)}
${few.length === 0 ? '' : behind(`${few.length} with fewer than ${LEAST_FOR_P50} changes`, table(`By ${question.by}, few changes`, titles, few.map(cells)))}`;
}

function slowTable(slowest: readonly SlowChange[]): Markup {
  const label = 'The changes that took longest';
  const head = html`<tr>${['change', 'package', 'release', 'arrived', 'took'].map((title) => html`<th scope="col">${title}</th>`)}</tr>`;
  const rows = slowest.map(
    (change) =>
      html`<tr><th scope="row">${changeLink(change)}</th><td>${change.package}</td><td>${change.release ?? ''}</td><td>${formatMoment(change.endedAt)}</td><td class="number">${formatLength(change.total)}</td></tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`;
}

/** A link only where it leads to a page. */
function changeLink({ url, change, repo }: SlowChange): Markup {
  const name = /^[0-9a-f]{40}$/.test(change) ? change.slice(0, 10) : change;
  const text = html`${repo} ${name}`;
  return url !== undefined && /^https?:\/\//.test(url) ? html`<a href="${url}">${text}</a>` : text;
}

function table(label: string, titles: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const head = html`<tr>${titles.map((title, at) => html`<th scope="col"${at === 0 ? '' : new Markup(' class="number"')}>${title}</th>`)}</tr>`;
  const body = rows.map(
    ([first = '', ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td class="number">${text}</td>`)}</tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
}

function limits({ question, waiting }: Report): Markup {
  const sentences = [
    `A change counts in the week in which it arrived, so a point of the past never moves. ${waiting === 0 ? 'All changes of the last weeks have arrived.' : `${waiting} changes of the last weeks have not arrived yet, and are in no figure.`}`,
    `Fewer than ${LEAST_FOR_P50} changes have no percentile, and fewer than ${LEAST_FOR_P90} no P90: too few to say anything about the tenth that takes longest.`,
    'The intervals come from drawing whole releases again and again: changes of one release arrive together, and are no independent facts.',
    'P50 and P90 are of the whole way of each change. Those of stages cannot be added.',
    `How often somebody publishes is part of the time. Only these publications count: ${[...question.lead.channels].join(', ')}.`,
  ];
  return html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}
