import { existsSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Micros } from '../model/event.js';
import { Database } from './database.js';
import { type EventScope, openEvents } from './open-events.js';
import { listFiles, type RecordFiles, stampOf } from './record-files.js';

/** How often a record may be compacted under a reader before that is a failure. */
const ATTEMPTS = 5;

/**
 * Opens a record as a view `event` of the database, without retracted events (the view `recorded` has them), and runs `work` on it. Other
 * processes may write and compact meanwhile. If one compacted, `work` runs again, so it must have no side effects. Throws `RECORD_MISSING`,
 * `RECORD_INVALID`, `RECORD_LOCKED`, `FILE_UNUSABLE`, `DISK_FULL`, and the errors of `work`.
 */
export async function withEvents<T>(database: Database, record: AbsolutePath, work: () => Promise<T>, scope: EventScope = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const files = listFiles(record);
    try {
      await openEvents(database, files, scope);
      const result = await work();
      if (isSame(record, files)) return result;
    } catch (error) {
      if (isSame(record, files)) throw error;
    }
    if (attempt === ATTEMPTS) throw isBusy(record);
  }
}

function isSame(record: AbsolutePath, { segments, stamp }: RecordFiles): boolean {
  return stampOf(record) === stamp && segments.every((segment) => existsSync(segment));
}

function isBusy(record: AbsolutePath): ToolError {
  return new ToolError({
    code: 'RECORD_LOCKED',
    message: `${record} was compacted again and again while it was read.`,
    hint: 'Run the same command again.',
    data: { record },
  });
}

/** Events that end in the future, and so in no figure. */
export interface FutureEvents {
  readonly n: number;
  readonly last: Micros;
}

export interface RecordScope extends EventScope {
  /** Called where there are some, also before `work` fails. */
  readonly onFuture?: (found: FutureEvents) => void;
}

/** The same with a database of its own. */
export async function withRecord<T>(
  record: AbsolutePath,
  work: (database: Database) => Promise<T>,
  { onFuture, ...scope }: RecordScope = {},
): Promise<T> {
  const database = await Database.open();
  try {
    const result = await withEvents(database, record, () => work(database), scope);
    await tellFuture(database, onFuture);
    return result;
  } catch (error) {
    // What the work missed may lie in the future. A record that could not be opened has no such table, and `error` says more.
    await tellFuture(database, onFuture).catch(() => undefined);
    throw error;
  } finally {
    await database.close();
  }
}

async function tellFuture(database: Database, onFuture: RecordScope['onFuture']): Promise<void> {
  if (onFuture === undefined) return;
  const [row] = await database.rows('from from_future');
  const n = Number(row?.['n'] ?? 0);
  if (n > 0) onFuture({ n, last: Number(row?.['last'] ?? 0) as Micros });
}
