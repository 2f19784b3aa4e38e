import type { Prediction } from '../report/predict.js';
import { describeAmount, describeSide } from './comparison-parts.js';
import { gridText } from './grid.js';
import { describePrediction, predictionGrid } from './prediction-parts.js';
import { shortOn } from './sentences.js';
import type { TextStyle } from './text-style.js';

/** Renders a prediction for a terminal: the lead times with all stages, and without some of them. */
export function renderPrediction(prediction: Prediction, style: TextStyle): string {
  const { now, question, measured } = prediction;
  const parts = [
    `Now: ${describeSide(question.side, shortOn(style))}. ${describeAmount(now)}.`,
    ...(measured.p50 === undefined ? [] : [gridText(predictionGrid(prediction), style)]),
    describePrediction(prediction).join('\n'),
  ];
  return parts.join('\n\n');
}
