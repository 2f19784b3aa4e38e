import type { ChosenMigration } from '../report/choose-migration.js';
import type { LeadTimeComparison } from '../report/comparison.js';
import { describeClaims, describeSide, figureGrid, stageGrid } from './comparison-parts.js';
import { gridText } from './grid.js';
import { describeScenarios, predictionGrid } from './prediction.js';
import { describeMove, shortOn } from './sentences.js';
import type { TextStyle } from './text-style.js';

/**
 * Renders a comparison for a terminal: what changed, whether the data support that, and in which stages. `move`: the migration that it is
 * about, if any.
 */
export function renderComparison(comparison: LeadTimeComparison, move: ChosenMigration | undefined, style: TextStyle): string {
  const { question, before, after, predicted } = comparison;
  const short = shortOn(style);
  const heading = [
    ...(move === undefined ? [] : [describeMove(move, short)]),
    `Before: ${describeSide(question.before, short)}.`,
    `After: ${describeSide(question.after, short)}.`,
  ].join('\n');
  const hasStages = before.stages.length + after.stages.length > 0;
  const parts = [
    heading,
    gridText(figureGrid(comparison), style),
    hasStages ? gridText(stageGrid(comparison), style) : '',
    describeClaims(comparison).join('\n'),
    ...(predicted?.measured.p50 === undefined
      ? []
      : [
          'What the changes before would have predicted:',
          gridText(predictionGrid(predicted), style),
          describeScenarios(predicted).join('\n'),
        ]),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
