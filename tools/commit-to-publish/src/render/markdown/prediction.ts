import { code } from '@tributary/terminal/markdown';
import type { Prediction } from '../../report/prediction.js';
import { describeAmount, describeSide } from '../comparison-parts.js';
import { gridMarkdown } from '../grid.js';
import { describePrediction, nowGrid, scenarioGrid, titleOf } from '../prediction-parts.js';
import { joinParts } from './parts.js';

export function formatPrediction(prediction: Prediction): string {
  const { now, question, scenarios, measured } = prediction;
  const isKnown = measured.p50 !== undefined;
  return joinParts([
    '## What a migration would save',
    `Now: ${describeSide(question.side, code)}. ${describeAmount(now)}.`,
    isKnown ? gridMarkdown(nowGrid(prediction)) : '',
    ...(isKnown ? scenarios.map((scenario) => `${titleOf(scenario)}.\n\n${gridMarkdown(scenarioGrid(scenario, prediction))}`) : []),
    describePrediction(prediction)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ]);
}
