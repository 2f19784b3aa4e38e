import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Micros } from '../../model/event.js';
import type { ReportDetails, TrendPoint, Waterfall } from '../../report/details.js';
import { closedInterval } from '../../report/figures.js';
import { LEAST_FOR_P90 } from '../../report/least.js';
import type { PackageMove } from '../../report/migration.js';
import type { ReportQuestion } from '../../report/question.js';
import { formatBound } from '../figures.js';
import { nameOfStage } from '../names.js';
import { formatDay } from '../times.js';
import { lengthAxis, unitFor } from './length-axis.js';
import { html, Markup } from './markup.js';

/** A page has every chart in two widths and shows the one that fits, because the labels of a scaled-down chart are unreadable. */
const WIDTHS = [
  ['wide', 860],
  ['narrow', 350],
] as const;

/** The context of a chart of weeks. */
interface TrendFrame {
  readonly moves: readonly PackageMove[];
  readonly question: Pick<ReportQuestion, 'since' | 'until' | 'weeks' | 'before'>;
}

/**
 * Returns a chart of P50 and P90 week by week: the interval of P90 as a band, single changes of weeks with few, and migrations as lines.
 */
export function trendChart({ trend, single }: Pick<ReportDetails, 'trend' | 'single'>, { moves, question }: TrendFrame): Markup {
  const figures = trend.flatMap(({ p50, p90 }) => [p50?.value, p90?.value, closedInterval(p90)?.high]);
  const { at, scale, note } = lengthAxis([...figures, ...single.map(({ total }) => total)]);
  const points = trend.map((point) => ({
    ...point,
    end: dateOf(point.endsAt),
    low: at(closedInterval(point.p90)?.low),
    high: at(closedInterval(point.p90)?.high),
  }));
  const lines = (['p90', 'p50'] as const).flatMap((key) => {
    const channels = { x: 'end', y: (point: TrendPoint) => at(point[key]?.value) };
    // A week between two weeks without a figure has no line, only a dot.
    return [
      Plot.lineY(points, { ...channels, stroke: `var(--${key})`, strokeWidth: 2, className: key }),
      Plot.dot(points, { ...channels, fill: `var(--${key})`, r: 2 }),
      boundMarks(points, { ...channels, stroke: `var(--${key})` }),
    ];
  });
  const dots = single.map(({ endedAt, total, atLeast }) => ({ at: dateOf(endedAt), length: at(total), atLeast }));
  const options = (width: number): Plot.PlotOptions => ({
    marginTop: TOP + LABEL * labelRows(moves),
    y: scale,
    x: weeksAxis(question),
    marks: [
      Plot.areaY(points, { x: 'end', y1: 'low', y2: 'high', fill: 'var(--band)' }),
      ...lines,
      Plot.dot(dots, { x: 'at', y: 'length', stroke: 'var(--single)', r: 3 }),
      boundMarks(dots, { x: 'at', y: 'length', stroke: 'var(--single)' }),
      ...moveMarks(moves, { question, width }),
    ],
  });
  const weeks = question.weeks === 1 ? 'the week' : `the ${question.weeks} weeks`;
  const { before = question.until } = question;
  const last = before < question.until ? `, the last up to ${formatDay(before)}` : '';
  const ofPoints = trend.some(({ p50 }) => p50 !== undefined) ? `Each point is of ${weeks} up to the end of its week${last}. ` : '';
  return html`<p>${`${ofPoints}${note}`.trim()}</p>${draw('P50 and P90 of the trailing weeks, at the end of each week', options, 300)}`;
}

/** Returns a triangle that points up for each point that is only a lower bound. */
export function boundMarks<Point extends { readonly atLeast: number }>(points: readonly Point[], channels: Plot.DotOptions): Plot.Markish {
  const bounds = points.filter(({ atLeast }) => atLeast > 0);
  return Plot.dot(bounds, { ...channels, symbol: 'triangle', fill: 'var(--ground)', r: 4 });
}

/** Keeps the name of an axis off its highest number. */
const TOP = 26;

/** The height of a line of labels. */
const LABEL = 14;
/** Above this number, labels are numbers, because names would overlap. */
const NAMED_MOVES = 3;

/** Returns a line for each migration, with its name or number above the chart. */
function moveMarks(moves: readonly PackageMove[], { question: { since, until }, width }: LabelFrame): Plot.Markish[] {
  const room = width > 600 ? 40 : 24;
  const rows = labelRows(moves);
  return moves.flatMap(({ at, packages }, index) => {
    const isLate = (at - since) / (until - since) > 0.5;
    // Names extend towards the side with more room; a line ends below the names that cross it.
    const row = rows === 1 ? 0 : isLate ? moves.length - 1 - index : index;
    const title = moves.length > NAMED_MOVES ? String(index + 1) : labelOf(packages, room);
    const rule = [{ at: dateOf(at), title }];
    const [anchor, dx] = isLate ? (['end', -4] as const) : (['start', 4] as const);
    return [
      Plot.ruleX(rule, { x: 'at', stroke: 'var(--mark)', strokeDasharray: '4 3', insetTop: -LABEL * (rows - row) }),
      Plot.text(rule, {
        x: 'at',
        text: 'title',
        frameAnchor: 'top',
        textAnchor: anchor,
        dx,
        dy: LABEL * (row - rows),
        fill: 'var(--mark)',
      }),
    ];
  });
}

interface LabelFrame extends Pick<TrendFrame, 'question'> {
  readonly width: number;
}

function labelRows({ length }: readonly PackageMove[]): number {
  return length > NAMED_MOVES ? 1 : length;
}

function labelOf(packages: readonly string[], room: number): string {
  const [first = ''] = packages;
  if (packages.length > 1) return `${packages.length} packages moved in`;
  return first.length > room ? `${first.slice(0, room - 1)}…` : first;
}

/** Returns an axis with all weeks of the report, including empty ones. */
function weeksAxis({ since, until }: TrendFrame['question']): Plot.ScaleOptions {
  return { label: null, type: 'utc', domain: [dateOf(since), dateOf(until)] };
}

export function dateOf(moment: Micros): Date {
  return new Date(moment / 1000);
}

/** Returns a chart of the number of changes behind each week's figures. */
export function countChart({ trend }: Pick<ReportDetails, 'trend'>, question: TrendFrame['question']): Markup {
  const points = trend.map(({ endsAt, n }) => ({ n, end: dateOf(endsAt) }));
  const isNear = points.some(({ n }) => n >= LEAST_FOR_P90 / 2);
  const options = (): Plot.PlotOptions => ({
    marginTop: TOP,
    y: { label: 'changes (n)', grid: true, ticks: 3, zero: true, nice: true },
    x: weeksAxis(question),
    marks: [
      Plot.ruleX(points, { x: 'end', y1: 0, y2: 'n', stroke: 'var(--count)', strokeWidth: 4 }),
      // Omitted if all values are far below it, because it would only flatten them.
      ...(isNear ? [Plot.ruleY([LEAST_FOR_P90], { stroke: 'var(--mark)', strokeDasharray: '2 3' })] : []),
    ],
  });
  return draw(`The number of changes behind the figures; a P90 is shown from ${LEAST_FOR_P90} on`, options, 124);
}

/** Returns a chart of the stages of the changes near the median, one after the other. */
export function waterfallChart({ stages }: Waterfall): Markup {
  const { size, name } = unitFor(stages.reduce((sum, { length }) => sum + length, 0));
  let now = 0;
  const bars = stages.map(({ stage, whose, length, atLeast }) => {
    const bar = {
      stage: nameOfStage({ stage, whose }),
      from: now / size,
      to: (now + length) / size,
      text: formatBound(length, atLeast),
    };
    now += length;
    return bar;
  });
  const options = (): Plot.PlotOptions => ({
    marginLeft: 150,
    marginRight: 60,
    // Room for the name of the unit below the numbers, whose last one may be right above it.
    marginBottom: 42,
    x: { label: name, grid: true },
    y: { label: null, domain: bars.map(({ stage }) => stage) },
    marks: [
      Plot.barX(bars, { x1: 'from', x2: 'to', y: 'stage', fill: 'var(--p50)' }),
      Plot.text(bars, { x: 'to', y: 'stage', text: 'text', textAnchor: 'start', dx: 6, fill: 'currentColor' }),
    ],
  });
  return draw('The stages of changes near the median', options, 72 + 34 * bars.length);
}

export function draw(label: string, options: (width: number) => Plot.PlotOptions, height: number): Markup {
  return html`${WIDTHS.map(([name, width]) => {
    const { document } = parseHTML('<!doctype html><body></body>');
    const plot = Plot.plot({
      ...options(width),
      document: document as unknown as NonNullable<Plot.PlotOptions['document']>,
      width,
      height,
      className: 'chart',
      style: { background: 'none', fontSize: '12px' },
    });
    plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', label);
    // Parts of a picture need no accessible names.
    for (const part of plot.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
    return html`<div class="${name}">${new Markup(plot.outerHTML)}</div>`;
  })}`;
}
