import type { LeadTimeQuestion } from '../../model/lead-time.js';
import type { ChosenMigration } from '../../report/choose-migration.js';
import type { ComparedPercentile, LeadTimeComparison } from '../../report/comparison.js';
import { type ComparisonDetails, percentilesOf, type SideChange, slowestOf } from '../../report/comparison-details.js';
import { describeAmount, describeClaims, describeSide, figureGrid, stageGrid } from '../comparison-parts.js';
import { formatBound } from '../figures.js';
import type { Grid } from '../grid.js';
import { describeScenarios, predictionGrid } from '../prediction.js';
import { describeMove, listSome, unchanged } from '../sentences.js';
import { formatDay, formatLength, formatRate } from '../times.js';
import { distributionChart, stagesChart, weeksChart } from './comparison-charts.js';
import { behind, framePage, gridTable, list, withWholeFigures } from './frame.js';
import { html, type Markup } from './markup.js';
import { slowTable } from './slow-table.js';

export interface ComparisonPage {
  readonly comparison: LeadTimeComparison;
  readonly details: ComparisonDetails;
  /** The migration, if the comparison is about one. */
  readonly move: ChosenMigration | undefined;
  readonly generator: string;
}

/**
 * Renders a comparison as one page for readers who run no command: first the claims that the data support, then charts, each with its
 * table.
 */
export function renderComparisonPage(page: ComparisonPage): string {
  const { comparison, details, move, generator } = page;
  const { question } = comparison;
  const side = (name: 'before' | 'after'): string =>
    `${name === 'before' ? 'Before' : 'After'}: ${describeSide(question[name], unchanged)}; ${describeAmount(comparison[name])}.`;
  const body = html`<p class="lead">${withWholeFigures(describeHeadline(comparison))}</p>
<p>${move === undefined ? '' : withWholeFigures(describeMove(move, unchanged))}</p>
<section><h2>What the data support, and what they do not</h2>${list(describeClaims(comparison, 'reader'))}${gridTable('Figures', figureGrid(comparison))}</section>
${comparison.before.n === 0 || comparison.after.n === 0 ? '' : charts(comparison, details, move)}
<section><h2>By package, before → after</h2>${packageTable(details)}</section>
${slowSection('before', details)}${slowSection('after', details)}
${predicted(comparison)}
<section><h2>What was compared</h2>${list([side('before'), side('after')])}</section>`;
  return framePage({ title: titleOfPage(page), body, generator });
}

/** Returns a title that says whose lead time it is. */
function titleOfPage({ comparison: { question }, move }: ComparisonPage): string {
  const { before, after } = question;
  const names = move?.packages ?? [after.packages, after.repos, before.packages, before.repos].find((some) => some.length > 0);
  const whose = names === undefined ? '' : ` of ${listSome(names, unchanged)}`;
  const time = move === undefined ? 'before and after' : `before and after ${formatDay(move.at)}`;
  return `Lead time${whose}, ${time}`;
}

const LEGEND = html`<p class="legend"><span class="p90">before</span> <span class="p50">after</span></p>`;

function charts(comparison: LeadTimeComparison, details: ComparisonDetails, move: ChosenMigration | undefined): Markup {
  return html`<section><h2>How long changes took</h2>${LEGEND}${distributionChart(details)}</section>
<section><h2>Stage by stage</h2>${LEGEND}${stagesChart(comparison)}${behind('The figures behind this chart', gridTable('Stages', stageGrid(comparison)))}</section>
<section><h2>Week by week</h2>${LEGEND}<p>Lines are P50, dashed lines P90, of the six weeks up to each week. A gap is a time with too few changes.</p>${weeksChart(details, move?.at)}</section>`;
}

const MOST_PACKAGES = 30;

function packageTable({ before, after }: ComparisonDetails): Markup {
  const names = [...new Set([...before, ...after].map((change) => change.package))];
  const rows = names
    .map((name) => ({ name, old: before.filter((one) => one.package === name), now: after.filter((one) => one.package === name) }))
    .sort((a, b) => b.old.length + b.now.length - a.old.length - a.now.length || (a.name < b.name ? -1 : 1));
  const left = rows.length - MOST_PACKAGES;
  const grid: Grid = {
    titles: ['package', 'changes', 'P50', 'P90'],
    rows: rows.slice(0, MOST_PACKAGES).map(({ name, old, now }) => [name, ...cellsOf(old, now)]),
  };
  return html`${gridTable('By package', grid)}${left > 0 ? html`<p>And ${left} packages with fewer changes.</p>` : ''}`;
}

function cellsOf(old: readonly SideChange[], now: readonly SideChange[]): readonly string[] {
  const [before, after] = [percentilesOf(old), percentilesOf(now)];
  const change = (key: 'p50' | 'p90'): string =>
    [before, after].map(({ [key]: value, atLeast }) => (value === undefined ? 'too few' : formatBound(value, atLeast))).join(' → ');
  return [`${old.length} → ${now.length}`, change('p50'), change('p90')];
}

function slowSection(side: 'before' | 'after', details: ComparisonDetails): Markup {
  const slowest = slowestOf(details[side]);
  if (slowest.length === 0) return html``;
  const label = `The slowest changes, ${side}`;
  return html`<section><h2>${label}</h2>${slowTable(label, slowest, details.subjects)}</section>`;
}

function predicted({ predicted: found }: LeadTimeComparison): Markup {
  if (found?.measured.p50 === undefined) return html``;
  const title = 'What the changes before would have predicted';
  return html`<section><h2>${title}</h2>${gridTable(title, predictionGrid(found))}<p>${describeScenarios(found).join(' ')}</p></section>`;
}

const ENDS = { published: 'publish', upgraded: "the consumer's upgrade", released: "the consumer's release" } as const;
const BEGINS = { merged: 'merge', approved: 'approval' } as const;

/** Returns the first sentence of a comparison. It calls a figure changed only if the data support the claim. */
function describeHeadline({ question, p50, p90, upgrades }: LeadTimeComparison): string {
  const [old, now] = [wayOf(question.before.lead), wayOf(question.after.lead)];
  const gone = upgrades.verdict === 'fewer' ? [`${formatRate(upgrades.gonePerMonth)} fewer upgrades a month`] : [];
  const { difference } = p50;
  if (difference === undefined || !isClaimed(p50)) {
    const sentence = `These data do not show whether changes take less time from ${now} than before.`;
    return gone.length === 0 ? sentence : `${sentence} ${gone[0]}.`;
  }
  const [took, takes] = [formatLength(difference.before), formatLength(difference.after)];
  const way =
    old === now ? `From ${old} took ${took}, now takes ${takes} (P50)` : `From ${old} took ${took}; from ${now} now takes ${takes} (P50)`;
  return `${[[way, ...tailOf(p90)].join(', '), ...gone].join('; ')}.`;
}

/** Returns the P90, which is shown beside the P50 only if the data support a claim about it. */
function tailOf(p90: ComparedPercentile): readonly string[] {
  const { difference } = p90;
  return difference === undefined || !isClaimed(p90) ? [] : [`P90 ${formatLength(difference.before)} → ${formatLength(difference.after)}`];
}

function isClaimed({ verdict }: ComparedPercentile): boolean {
  return verdict === 'shorter' || verdict === 'longer';
}

function wayOf({ ready, until }: LeadTimeQuestion): string {
  return `${BEGINS[ready]} to ${ENDS[until]}`;
}
