import type { AbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { mountDisk } from '@tributary/test-repo/small-disk';
import type { Database } from '../io/database.js';
import { withEvents } from '../io/record.js';

/** Returns the ids of all events that count, sorted. */
export async function readIds(database: Database, record: AbsolutePath): Promise<readonly unknown[]> {
  const rows = await withEvents(database, record, () => database.rows('select id from event order by id'));
  return rows.map(({ id }) => id);
}

/** Mounts a separate disk; `undefined` and a warning if this user may not mount one. */
export async function mountOrSay(cleanUp: CleanUp, options: string): Promise<AbsolutePath | undefined> {
  const disk = await mountDisk(cleanUp, options);
  if (disk === undefined) console.warn('left out: this user may not mount a disk');
  return disk;
}

/** Returns code, message and hint of a failure. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
  const error = await work.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  const { code = '', message, hint = '' } = error as { code?: string; message: string; hint?: string };
  return { code, message, hint };
}
