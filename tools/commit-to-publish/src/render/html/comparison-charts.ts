import * as Plot from '@observablehq/plot';
import type { Micros } from '../../model/event.js';
import type { LeadTimeComparison } from '../../report/comparison.js';
import { binsOf, type ComparisonDetails, percentilesOf, type WeekPoint, weeksOf } from '../../report/comparison-details.js';
import { formatBound } from '../figures.js';
import { nameOfStage } from '../names.js';
import { boundMarks, dateOf, draw } from './charts.js';
import { lengthAxis, logarithm, logarithmicTicks, MINUTE, unitFor } from './length-axis.js';
import { html, type Markup } from './markup.js';

const SIDES = ['before', 'after'] as const;
/** The colors of the legend. */
const COLORS = { before: 'var(--p90)', after: 'var(--p50)' } as const;
/** The height of the title above the bars of a side or a stage. */
const TITLE = 16;

/** Returns the distributions of both sides above each other on one axis, with P50 and P90 as lines. */
export function distributionChart(details: ComparisonDetails): Markup {
  const bars = SIDES.flatMap((side) => binsOf(details[side]).map((bin) => ({ ...bin, side, percent: 100 * bin.share })));
  const lines = SIDES.flatMap((side) => {
    const { p50, p90, atLeast } = percentilesOf(details[side]);
    const more = atLeast > 0 ? ' or more' : '';
    const isKnown = (value: number | undefined): value is number => value !== undefined && (value > 0 || atLeast === 0);
    return [
      ...(isKnown(p50) ? [{ side, at: Math.max(p50, MINUTE), name: `P50${more}`, anchor: 'end', dx: -3 } as const] : []),
      ...(isKnown(p90) ? [{ side, at: Math.max(p90, MINUTE), name: `P90${more}`, anchor: 'start', dx: 3 } as const] : []),
    ];
  });
  const [from, to] = [Math.min(...bars.map((bar) => bar.from)), Math.max(...bars.map((bar) => bar.to))];
  const options = (): Plot.PlotOptions => ({
    marginTop: 24,
    marginRight: 52,
    x: { ...logarithmicTicks(from, to), label: null },
    y: { label: '% of changes', grid: true, ticks: 3, nice: true },
    fy: { domain: [...SIDES], label: null, axis: 'right', padding: 0.2 },
    marks: [
      ...SIDES.map((side) =>
        Plot.rectY(
          bars.filter((bar) => bar.side === side),
          { x1: (bar) => logarithm(bar.from), x2: (bar) => logarithm(bar.to), y: 'percent', fy: 'side', fill: COLORS[side], inset: 0.5 },
        ),
      ),
      Plot.ruleX(lines, { x: ({ at }) => logarithm(at), fy: 'side', stroke: 'var(--text)', strokeDasharray: '3 3', insetTop: -12 }),
      ...lines.map((line) =>
        Plot.text([line], {
          x: ({ at }) => logarithm(at),
          fy: 'side',
          text: 'name',
          frameAnchor: 'top',
          textAnchor: line.anchor,
          dx: line.dx,
          dy: -13,
          fill: 'var(--text)',
        }),
      ),
    ],
  });
  const isBound = [...details.before, ...details.after].some(({ atLeast }) => atLeast > 0);
  const note = isBound ? html`<p>Some of these changes may have taken longer: the chart shows their lower bounds.</p>` : '';
  return html`${note}${draw('How long changes took before and after, on one axis', options, 300)}`;
}

/** Returns the mean of each stage, both sides next to each other below its name. */
export function stagesChart({ before, after }: LeadTimeComparison): Markup {
  const names = [...new Set([...before.stages, ...after.stages].map(nameOfStage))];
  const both = { before, after };
  const means = SIDES.flatMap((side) =>
    names.map((name) => ({ side, name, ...(both[side].stages.find((stage) => nameOfStage(stage) === name) ?? { mean: 0, atLeast: 0 }) })),
  );
  const { size, name: unit } = unitFor(Math.max(...means.map(({ mean = 0 }) => mean)));
  const bars = means.map(({ side, name, mean, atLeast }) => ({
    ...{ side, name, length: (mean ?? 0) / size },
    text: mean === 0 && atLeast === 0 ? 'none' : formatBound(mean, atLeast),
  }));
  const options = (): Plot.PlotOptions => ({
    marginTop: 8 + TITLE,
    marginLeft: 52,
    // Room for the figure next to the longest bar.
    marginRight: 52,
    marginBottom: 42,
    x: { label: unit, grid: true },
    y: { domain: [...SIDES], label: null },
    fy: { domain: names, label: null, axis: null, padding: 0.3 },
    marks: [
      Plot.barX(bars, { x: 'length', y: 'side', fy: 'name', fill: ({ side }: (typeof bars)[number]) => COLORS[side] }),
      Plot.text(bars, { x: 'length', y: 'side', fy: 'name', text: 'text', textAnchor: 'start', dx: 4, fill: 'currentColor' }),
      Plot.text(names, { fy: (name) => name, text: (name) => name, frameAnchor: 'top-left', dy: -TITLE, fill: 'var(--text)' }),
    ],
  });
  return draw('The mean of each stage before and after', options, 62 + 66 * names.length);
}

/** Returns P50 (solid) and P90 (dashed) of the weeks up to the end of each week, and the move as a vertical line. */
export function weeksChart(details: ComparisonDetails, movedAt: number | undefined): Markup {
  const points = { before: weeksOf(details.before), after: weeksOf(details.after) };
  const { at, scale, note } = lengthAxis([...points.before, ...points.after].flatMap(({ p50, p90 }) => [p50, p90]));
  const move = movedAt === undefined ? [] : [{ at: new Date(movedAt / 1000) }];
  // The week of the move ends after the move.
  const endOf = (side: (typeof SIDES)[number], { endsAt }: WeekPoint): Micros =>
    side === 'before' && movedAt !== undefined ? (Math.min(endsAt, movedAt) as Micros) : endsAt;
  const lines = SIDES.flatMap((side) =>
    (['p50', 'p90'] as const).flatMap((key) => {
      const values = points[side].map((point) => ({ ...point, end: dateOf(endOf(side, point)), value: at(point[key]) }));
      const channels = { x: 'end', y: 'value', stroke: COLORS[side] };
      return [
        Plot.lineY(values, { ...channels, strokeWidth: 2, ...(key === 'p90' ? { strokeDasharray: '5 4' } : {}) }),
        boundMarks(values, channels),
      ];
    }),
  );
  const options = (): Plot.PlotOptions => ({
    marginTop: 34,
    x: { type: 'utc', label: null },
    y: scale,
    marks: [
      ...lines,
      Plot.ruleX(move, { x: 'at', stroke: 'var(--mark)', strokeDasharray: '4 3', insetTop: -14 }),
      Plot.text(move, { x: 'at', text: () => 'the move', frameAnchor: 'top', dy: -16, textAnchor: 'start', dx: 4, fill: 'var(--mark)' }),
    ],
  });
  const isBound = [...points.before, ...points.after].some(({ atLeast }) => atLeast > 0);
  const notes = `${note}${isBound ? ' A triangle is a lower bound.' : ''}`.trim();
  return html`${notes === '' ? '' : html`<p>${notes}</p>`}${draw('P50 and P90 of the six weeks up to the end of each week, before and after', options, 280)}`;
}
