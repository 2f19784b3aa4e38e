import type { AbsolutePath } from '@tributary/model/paths';
import type { Ui } from '@tributary/terminal/ui';
import { listForeign } from '../io/foreign-files.js';
import { asItIs, listSome } from '../render/sentences.js';

/** What somebody has put into the record by hand is in no figure: it is not passed over in silence. Throws `FILE_UNUSABLE`. */
export function warnOfForeignFiles(record: AbsolutePath, ui: Ui): void {
  const foreign = listForeign(record);
  if (foreign.length === 0) return;
  const isOrAre = foreign.length === 1 ? 'is no part of it and is' : 'are no part of it and are';
  ui.warning(`In the record, ${listSome(foreign, asItIs)} ${isOrAre} not read.`);
  ui.hint('Take out what does not belong there; events come in with "commit-to-publish ingest <file>".');
}
