import { code } from '@tributary/terminal/markdown';
import type { ChosenMigration } from '../../report/choose-migration.js';
import type { ComparedPercentile, LeadTimeComparison } from '../../report/comparison.js';
import { describeClaims, describeSide, figureGrid, formatChange, stageGrid } from '../comparison-parts.js';
import { gridMarkdown } from '../grid.js';
import { describeScenarios, predictionGrid } from '../prediction.js';
import { describeMove } from '../sentences.js';
import { folded, joinParts } from './parts.js';

/** Renders a comparison in Markdown: claims at the top, details folded. */
export function formatComparison(comparison: LeadTimeComparison, move: ChosenMigration | undefined): string {
  const { question, before, after, predicted } = comparison;
  const hasStages = before.stages.length + after.stages.length > 0;
  return joinParts([
    `## Lead time, before and after: ${headline(comparison)}`,
    move === undefined ? '' : describeMove(move, code),
    gridMarkdown(figureGrid(comparison)),
    listOf(describeClaims(comparison)),
    hasStages ? folded('Stage by stage', gridMarkdown(stageGrid(comparison))) : '',
    predicted?.measured.p50 === undefined
      ? ''
      : folded(
          'What the changes before would have predicted',
          [gridMarkdown(predictionGrid(predicted)), listOf(describeScenarios(predicted))].join('\n\n'),
        ),
    folded('What was compared', `- Before: ${describeSide(question.before, code)}.\n- After: ${describeSide(question.after, code)}.`),
  ]);
}

function listOf(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${sentence}`).join('\n');
}

function headline({ p50, p90 }: LeadTimeComparison): string {
  const claimed = (name: string, { verdict, difference }: ComparedPercentile): readonly string[] =>
    verdict === 'shorter' || verdict === 'longer' ? [`${name} ${formatChange(difference?.change ?? 0)}`] : [];
  const claims = [...claimed('P50', p50), ...claimed('P90', p90)];
  return claims.length === 0 ? 'no claim' : claims.join(', ');
}
