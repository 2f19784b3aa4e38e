import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Database } from '../io/database.js';
import { countOnly } from '../io/open-events.js';
import { readSide } from '../io/read-side.js';
import { withRecord } from '../io/record.js';
import { type OpenSideQuestion, resolveSide } from '../io/resolve-sides.js';
import { predictionDocument } from '../render/document.js';
import { formatPrediction, renderPrediction } from '../render/prediction.js';
import { type MovePrediction, predict } from '../report/predict.js';
import { warnOfForeignFiles, withoutFuture } from './foreign.js';
import { styleOf } from './text-style.js';

export interface PredictRequest {
  readonly side: OpenSideQuestion;
  /** Empty: the stages that fall away in one repository. */
  readonly without: readonly string[];
  readonly format: 'text' | 'markdown' | 'json';
  readonly record: AbsolutePath;
}

/** Throws `NOT_RECORDED`, `USAGE`, and as `withRecord`. */
export async function runPredict({ side, without, format, record }: PredictRequest, services: Services): Promise<void> {
  const { ui } = services;
  warnOfForeignFiles(record, ui);
  const read = async (database: Database): Promise<MovePrediction> => {
    const resolved = await resolveSide(database, side);
    await countOnly(database, side.lead.changes);
    return predict(await readSide(database, resolved), { side: resolved, without });
  };
  const prediction = await withRecord(record, read, withoutFuture(services));
  if (format === 'json') ui.document(predictionDocument(prediction));
  else if (format === 'markdown') ui.markdown(formatPrediction(prediction));
  else ui.page(renderPrediction(prediction, styleOf(ui)));
}
