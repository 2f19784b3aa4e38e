import type { Ui } from '@tributary/terminal/ui';
import type { Database } from '../io/database.js';
import type { NamedOnly } from '../io/open-events.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { listSome, unchanged } from '../render/sentences.js';

interface AskedChannels extends Pick<LeadTimeQuestion, 'channels'> {
  /** What `event` is limited to. */
  readonly only: NamedOnly;
}

/** Warns of channels without any publication: whether a change has arrived there is unknown. Reads `event`. */
export async function warnOfUnusedChannels(database: Database, { channels, only }: AskedChannels, ui: Ui): Promise<void> {
  const rows = await database.rows(`select distinct channel from event where stage = 'publish' and channel is not null`);
  const used = new Set(rows.map(({ channel }) => channel));
  const unused = [...channels].filter((channel) => !used.has(channel));
  // Without any publication, the answer itself says so.
  if (unused.length === 0 || used.size === 0) return;
  const whose = only.packages.length + only.repos.length === 0 ? '' : ' of what is asked about';
  ui.warning(`The record has no publication${whose} on ${listSome(unused, unchanged)}, so it is unknown whether a change arrived there.`);
  ui.hint('Collect that channel or send its events, or name others with --channels.');
}
