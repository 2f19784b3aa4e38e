import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { readComparison } from '../io/read-comparison.js';
import { withRecord } from '../io/record.js';
import { renderComparison } from '../render/comparison.js';
import { comparisonDocument } from '../render/document.js';
import type { ComparisonQuestion } from '../report/comparison.js';
import { pageOf } from './page.js';

export async function runCompare(question: ComparisonQuestion, record: AbsolutePath, { ui }: Services): Promise<void> {
  const comparison = await withRecord(record, (database) => readComparison(database, question));
  if (ui.flags.json) ui.document(comparisonDocument(comparison));
  else ui.page(renderComparison(comparison, pageOf(ui)));
}
