import { predict } from '../report/predict.js';
import type { Prediction, PredictionQuestion } from '../report/prediction.js';
import type { Database } from './database.js';
import { readSide } from './read-side.js';

/** What the table `event` says of what a move would save. Throws as `predict`. */
export async function readPrediction(database: Database, question: PredictionQuestion): Promise<Prediction> {
  return predict(await readSide(database, question.side), question);
}
