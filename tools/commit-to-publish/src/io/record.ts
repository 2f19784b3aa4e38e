import { existsSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Micros } from '../model/event.js';
import { orDamaged } from './damage.js';
import { Database } from './database.js';
import { loadJournal } from './load-journal.js';
import { type EventScope, openEvents } from './open-events.js';
import { listFiles } from './record-files.js';

/** How often a record may change under a reader before that is a failure. */
const ATTEMPTS = 5;

/**
 * Extends the view `event` to at least all events of packages whose changes have one since a moment, and the table `published_elsewhere` to
 * the other publications; 0: all events.
 */
export type Widen = (since: Micros) => Promise<void>;

/**
 * Opens a record as a view `event` of the database, without retracted events (the view `recorded` has them), and runs `work` on it.
 * `scope.since`: events that changes active since then do not need may be omitted, until `work` asks for more. Other processes may write
 * and compact meanwhile. If listed files disappear, `work` runs again, so it must have no side effects. Throws `RECORD_MISSING`,
 * `RECORD_INVALID`, `FILE_UNUSABLE`, `DISK_FULL`, and the errors of `work`.
 */
export async function withEvents<T>(
  database: Database,
  record: AbsolutePath,
  work: (widen: Widen) => Promise<T>,
  scope: EventScope = { since: 0 as Micros, changes: undefined },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const files = listFiles(record);
    try {
      await loadJournal(database, files.segments);
      const widen: Widen = (since) => openEvents(database, files, { ...scope, since });
      await widen(scope.since);
      return await work(widen);
    } catch (error) {
      const named = files.index === undefined ? [] : [files.index.publications];
      const isGone = [...files.segments.map(({ file }) => file), ...files.parquet, ...named].some((file) => !existsSync(file));
      if (!isGone || attempt === ATTEMPTS) throw await orDamaged(error, database, files);
    }
  }
}

/** Events that end in the future, and so in no figure. */
export interface FutureEvents {
  readonly n: number;
  readonly last: Micros;
}

/** What of a record `withRecord` reads. */
export interface Reading extends EventScope {
  /** Called where there are some, also before `work` fails. */
  readonly onFuture?: (found: FutureEvents) => void;
}

/** The same with a database of its own. */
export async function withRecord<T>(
  record: AbsolutePath,
  work: (database: Database, widen: Widen) => Promise<T>,
  { onFuture, ...scope }: Reading = { since: 0 as Micros, changes: undefined },
): Promise<T> {
  const database = await Database.open();
  try {
    const result = await withEvents(database, record, (widen) => work(database, widen), scope);
    await tellFuture(database, onFuture);
    return result;
  } catch (error) {
    // What the work missed may lie in the future. A record that could not be opened has no such table, and `error` says more.
    await tellFuture(database, onFuture).catch(() => undefined);
    throw error;
  } finally {
    database.close();
  }
}

async function tellFuture(database: Database, onFuture: Reading['onFuture']): Promise<void> {
  if (onFuture === undefined) return;
  const [row] = await database.rows('from from_future');
  const n = Number(row?.['n'] ?? 0);
  if (n > 0) onFuture({ n, last: Number(row?.['last'] ?? 0) as Micros });
}
