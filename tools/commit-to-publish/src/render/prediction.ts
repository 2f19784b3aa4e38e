import { code } from '@tributary/terminal/markdown';
import type { Figures } from '../report/figures.js';
import { LEAST_FOR_P50, LEAST_FOR_P90 } from '../report/least.js';
import type { MovePrediction, Scenario } from '../report/predict.js';
import { describeAmount, describeReached, describeSide, describeUnit } from './comparison-parts.js';
import { formatP50, formatP90 } from './figures.js';
import { type Grid, gridMarkdown, gridText } from './grid.js';
import { joinParts } from './markdown/parts.js';
import { describeAtLeast, shortOn } from './sentences.js';
import type { TextStyle } from './text-style.js';
import { formatLength, formatRate } from './times.js';

// The parts of a prediction that a terminal and Markdown share.

/** Returns the measured lead times, and those of each scenario. */
export function predictionGrid({ measured, scenarios, now: { n, atLeast } }: MovePrediction): Grid {
  return {
    titles: ['', 'P50 (95 %)', 'P90 (95 %)', 'saves P50', 'P90'],
    rows: [
      ['measured', ...cells(measured, { n, atLeast }), '', ''],
      ...scenarios.map((scenario) => {
        // Of lower bounds, nobody knows by how much they differ.
        const isKnown = atLeast === 0 && scenario.atLeast === 0;
        const saves = (key: 'p50' | 'p90'): string => (isKnown ? saved(measured[key], scenario.figures[key]) : '');
        return [nameOf(scenario.kind), ...cells(scenario.figures, { n, atLeast: scenario.atLeast }), saves('p50'), saves('p90')];
      }),
    ],
  };
}

function cells({ p50, p90 }: Figures, { n, atLeast }: { readonly n: number; readonly atLeast: number | undefined }): readonly string[] {
  return atLeast === undefined ? ['unknown', 'unknown'] : [formatP50(p50, { n, atLeast }), formatP90(p90, { n, atLeast })];
}

function saved(measured: Figures['p50'], predicted: Figures['p50']): string {
  if (measured === undefined || predicted === undefined) return '';
  const less = measured.value - predicted.value;
  return less < 0 ? `-${formatLength(-less)}` : formatLength(less);
}

function nameOf(kind: Scenario['kind']): string {
  return kind === 'asked' ? 'without them' : kind;
}

/** Returns a sentence for each scenario, with the stages that it removes, and what all of them assume. */
export function describeScenarios({ now, scenarios }: MovePrediction): readonly string[] {
  const rows = [{ group: 'measured', ...now }, ...scenarios.map(({ kind, atLeast = now.n }) => ({ group: nameOf(kind), atLeast }))];
  return [
    ...scenarios.map(describeScenario),
    'Each change keeps its other stages. Releases are assumed to be as frequent as before.',
    ...[describeAtLeast(rows)].filter((sentence) => sentence !== ''),
  ];
}

function describeScenario({ kind, without }: Scenario): string {
  const removed = `without ${without.join(', ')}.`;
  switch (kind) {
    case 'as the package':
      return `As the package: one release instead of two, as often as the package is released now, ${removed}`;
    case 'as the consumer':
      return `As the consumer: one release instead of two, as often as the consumer is released now, ${removed}`;
    case 'at once':
      return `At once: with the consumer as soon as it is ready, ${removed}`;
    case 'asked':
      return `Predicted ${removed}`;
  }
}

function describePrediction(prediction: MovePrediction): readonly string[] {
  const { now, scenarios, question } = prediction;
  const { n, upgrades, reached } = now;
  if (reached !== undefined) {
    const elsewhere = describeReached(reached, question.side.lead, '--to');
    const why = elsewhere.length === 0 ? NOT_COLLECTED : `But ${elsewhere.join(', ')}.`;
    return [`Nothing has arrived there in this time, so nothing can be predicted. ${why}`];
  }
  const few =
    n < LEAST_FOR_P50 ? [`${n} changes are too few for a prediction: ${LEAST_FOR_P50} are needed, and ${LEAST_FOR_P90} for a P90.`] : [];
  const withoutUpgrades = scenarios.some(({ without }) => without.includes('upgrade-merge'));
  return [
    ...few,
    ...(withoutUpgrades && upgrades.n > 0
      ? [`${formatRate(upgrades.perMonth)} consumer upgrades a month would disappear (${upgrades.n} in this time).`]
      : []),
    ...(n < LEAST_FOR_P50 ? [] : describeScenarios(prediction)),
    ...(scenarios.length > 1 ? ['Which of the two releases stays is a separate decision.'] : []),
    ...[describeUnit(question.side)].filter((sentence) => sentence !== ''),
  ];
}

const NOT_COLLECTED =
  'Upgrades are seen where package and consumer are collected together: commit-to-publish collect --repo <package> --repo <consumer>.';

/** Renders a prediction for a terminal: the lead times with all stages, and without some of them. */
export function renderPrediction(prediction: MovePrediction, style: TextStyle): string {
  const { now, question, measured } = prediction;
  const parts = [
    `Now: ${describeSide(question.side, shortOn(style))}. ${describeAmount(now)}.`,
    ...(measured.p50 === undefined ? [] : [gridText(predictionGrid(prediction), style)]),
    describePrediction(prediction).join('\n'),
  ];
  return parts.join('\n\n');
}

export function formatPrediction(prediction: MovePrediction): string {
  const { now, question, measured } = prediction;
  return joinParts([
    '## What a migration would save',
    `Now: ${describeSide(question.side, code)}. ${describeAmount(now)}.`,
    measured.p50 === undefined ? '' : gridMarkdown(predictionGrid(prediction)),
    describePrediction(prediction)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ]);
}
