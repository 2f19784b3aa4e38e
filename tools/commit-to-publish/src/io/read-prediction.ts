import { predict } from '../report/predict.js';
import type { Prediction, PredictionQuestion } from '../report/prediction.js';
import type { Database } from './database.js';
import { readSide } from './read-side.js';

/** Computes from the table `event` what a move would save. Throws the errors of `predict`. */
export async function readPrediction(database: Database, question: PredictionQuestion): Promise<Prediction> {
  return predict(await readSide(database, question.side), question);
}
