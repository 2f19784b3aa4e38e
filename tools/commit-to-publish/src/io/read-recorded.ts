import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { COLLECTED, shortId } from '../collect/event-id.js';
import { quote } from '../engine/sql.js';
import type { Event } from '../model/event.js';
import { asEvent } from './as-event.js';
import { withRecord } from './record.js';

/** With more ids, the query is slower than reading all events. */
const MOST_NAMED = 5000;

/**
 * Reads what earlier collections recorded of a repository and what counts so far: the events with these short ids (`all`: every one), and
 * corrections. Empty if there is no record. Throws the errors of `withRecord`.
 */
export async function readRecorded(record: AbsolutePath, repo: string, ids: ReadonlySet<string> | 'all'): Promise<readonly Event[]> {
  const short = `substr(id, ${COLLECTED.prefix.length + 1}, ${COLLECTED.length})`;
  const isNamed = ids !== 'all' && ids.size <= MOST_NAMED;
  const named = isNamed ? `${short} in (${[...ids].map(quote).join(', ')})` : 'true';
  const query = `select * from recorded where repo = ${quote(repo)} and starts_with(id, ${quote(COLLECTED.prefix)}) and (${named} or revision > 0)`;
  try {
    const rows = await withRecord(record, (database) => database.rows(query));
    const events = rows.map(asEvent);
    return ids === 'all' ? events : events.filter(({ id, revision = 0 }) => revision > 0 || ids.has(shortId(id)));
  } catch (error) {
    if (isToolError(error) && error.code === 'RECORD_MISSING') return [];
    throw error;
  }
}
