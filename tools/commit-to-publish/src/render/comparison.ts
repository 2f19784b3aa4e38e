import type { ChosenMigration } from '../report/choose-migration.js';
import type { Comparison } from '../report/comparison.js';
import { describeClaims, describeSide, figureGrid, stageGrid } from './comparison-parts.js';
import { gridText } from './grid.js';
import { METHODS, scenarioGrid, titleOf } from './prediction-parts.js';
import type { Page } from './report.js';
import { describeMove, shortOn } from './sentences.js';

/** A comparison for a terminal: what changed, whether that can be claimed, and where. `move`: what it is about, where it is about one. */
export function renderComparison(comparison: Comparison, move: ChosenMigration | undefined, page: Page): string {
  const { question, before, after, predicted } = comparison;
  const short = shortOn(page);
  const heading = [
    ...(move === undefined ? [] : [describeMove(move, short)]),
    `Before: ${describeSide(question.before, short)}.`,
    `After: ${describeSide(question.after, short)}.`,
  ].join('\n');
  const hasStages = before.stages.length + after.stages.length > 0;
  const parts = [
    heading,
    gridText(figureGrid(comparison), page),
    hasStages ? gridText(stageGrid(comparison), page) : '',
    describeClaims(comparison).join('\n'),
    ...(predicted?.measured.p50 === undefined
      ? []
      : [
          'What the changes before would have let one expect:',
          ...predicted.scenarios.map((scenario) => `${titleOf(scenario)}.\n\n${gridText(scenarioGrid(scenario, predicted), page)}`),
          METHODS,
        ]),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
