import { code } from '@tributary/terminal/markdown';
import type { Prediction } from '../../report/predict.js';
import { describeAmount, describeSide } from '../comparison-parts.js';
import { gridMarkdown } from '../grid.js';
import { describePrediction, predictionGrid } from '../prediction-parts.js';
import { joinParts } from './parts.js';

export function formatPrediction(prediction: Prediction): string {
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
