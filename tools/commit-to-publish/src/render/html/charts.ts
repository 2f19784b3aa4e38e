import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Migration, ReportDetails, TrendPoint, Waterfall } from '../../report/details.js';
import { LEAST_FOR_P90 } from '../../report/report.js';
import { formatLength } from '../times.js';
import { html, Markup } from './markup.js';

/** A page has every chart twice, and shows the one that fits: letters of a chart that was made smaller could not be read. */
const WIDTHS = [
  ['wide', 860],
  ['narrow', 350],
] as const;

/** P50 and P90 week by week, the interval of P90 as a band, and migrations as lines. */
export function trendChart({ trend }: Pick<ReportDetails, 'trend'>, migrations: readonly Migration[]): Markup {
  const { size, name } = unitFor(Math.max(...trend.map(({ p50, p90, p90Interval }) => p90Interval?.high ?? p90 ?? p50 ?? 0)));
  const points = trend.map((point) => ({
    ...point,
    end: new Date(point.endsAt / 1000),
    low: scaled(point.p90Interval?.low, size),
    high: scaled(point.p90Interval?.high, size),
  }));
  const lines = (['p90', 'p50'] as const).map((key) =>
    Plot.lineY(points, {
      x: 'end',
      y: (point: TrendPoint) => scaled(point[key], size),
      stroke: `var(--${key})`,
      strokeWidth: 2,
      className: key,
    }),
  );
  const moved = migrations.map(({ name: title, at }) => ({ title, at: new Date(at / 1000) }));
  const options = {
    y: { label: name, grid: true, zero: true, nice: true },
    x: { label: null, type: 'utc' as const },
    marks: [
      Plot.areaY(points, { x: 'end', y1: 'low', y2: 'high', fill: 'var(--band)' }),
      ...lines,
      Plot.ruleX(moved, { x: 'at', stroke: 'var(--mark)', strokeDasharray: '4 3' }),
      Plot.text(moved, { x: 'at', text: 'title', frameAnchor: 'top', textAnchor: 'start', dx: 4, fill: 'var(--mark)' }),
    ],
  };
  return draw('P50 and P90 of the trailing weeks, at the end of each week', options, 300);
}

/** On how many changes each week's figures stand. */
export function countChart({ trend }: Pick<ReportDetails, 'trend'>): Markup {
  const points = trend.map(({ endsAt, n }) => ({ n, end: new Date(endsAt / 1000) }));
  const options = {
    y: { label: 'changes (n)', grid: true, ticks: 3 },
    x: { label: null, type: 'utc' as const },
    marks: [
      Plot.ruleX(points, { x: 'end', y1: 0, y2: 'n', stroke: 'var(--count)', strokeWidth: 4 }),
      Plot.ruleY([LEAST_FOR_P90], { stroke: 'var(--mark)', strokeDasharray: '2 3' }),
    ],
  };
  return draw(`The number of changes behind the figures; a P90 is shown from ${LEAST_FOR_P90} on`, options, 110);
}

/** The stages of the changes near the median, one after the other. */
export function waterfallChart({ stages }: Waterfall): Markup {
  const { size, name } = unitFor(stages.reduce((sum, { length }) => sum + length, 0));
  let now = 0;
  const bars = stages.map(({ stage, whose, length }) => {
    const bar = {
      stage: whose === 'consumer' ? `${stage}, consumer` : stage,
      from: now / size,
      to: (now + length) / size,
      text: formatLength(length),
    };
    now += length;
    return bar;
  });
  const options = {
    marginLeft: 130,
    marginRight: 60,
    x: { label: name, grid: true },
    y: { label: null, domain: bars.map(({ stage }) => stage) },
    marks: [
      Plot.barX(bars, { x1: 'from', x2: 'to', y: 'stage', fill: 'var(--p50)' }),
      Plot.text(bars, { x: 'to', y: 'stage', text: 'text', textAnchor: 'start', dx: 6, fill: 'currentColor' }),
    ],
  };
  return draw('The stages of changes near the median', options, 60 + 34 * bars.length);
}

function draw(label: string, options: Plot.PlotOptions, height: number): Markup {
  return html`${WIDTHS.map(([name, width]) => {
    const { document } = parseHTML('<!doctype html><body></body>');
    const plot = Plot.plot({
      ...options,
      document: document as unknown as NonNullable<Plot.PlotOptions['document']>,
      width,
      height,
      className: 'chart',
      style: { background: 'none', fontSize: '12px' },
    });
    plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', label);
    // The parts of a picture have no names of their own.
    for (const part of plot.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
    return html`<div class="${name}">${new Markup(plot.outerHTML)}</div>`;
  })}`;
}

/** The unit that all of a chart is in. */
function unitFor(most: number): { readonly size: number; readonly name: string } {
  if (most >= 3 * 24 * 3600e6) return { size: 24 * 3600e6, name: 'days' };
  if (most >= 2 * 3600e6) return { size: 3600e6, name: 'hours' };
  return { size: 60e6, name: 'minutes' };
}

/** A week without a figure is a gap in the line. */
function scaled(value: number | undefined, size: number): number {
  return value === undefined ? Number.NaN : value / size;
}
