import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { listForeign } from '../io/foreign-files.js';
import type { FutureEvents, RecordScope } from '../io/record.js';
import type { Micros } from '../model/event.js';
import { listSome, unchanged } from '../render/sentences.js';
import { formatDay } from '../render/times.js';

/** Warns of files that somebody put into the record by hand, because no figure counts them. Throws `FILE_UNUSABLE`. */
export function warnOfForeignFiles(record: AbsolutePath, ui: Ui): void {
  const foreign = listForeign(record);
  if (foreign.length === 0) return;
  const isOrAre = foreign.length === 1 ? 'is not part of it and is' : 'are not part of it and are';
  ui.warning(`In the record, ${listSome(foreign, unchanged)} ${isOrAre} not read.`);
  ui.hint('Remove what does not belong there; add events with "commit-to-publish ingest <file>".');
}

/** Leaves events out that end in the future, and says how many they are. */
export function withoutFuture({ ui, clock }: Services): Required<Pick<RecordScope, 'now' | 'onFuture'>> {
  const onFuture = ({ n, last }: FutureEvents): void => {
    ui.warning(
      `The record has ${n} ${n === 1 ? 'event' : 'events'} from the future (the last ends ${formatDay(last)}), which no figure counts.`,
    );
    ui.hint('The clock of whoever recorded them is wrong, or that of this machine is.');
  };
  return { now: (clock() * 1000) as Micros, onFuture };
}
