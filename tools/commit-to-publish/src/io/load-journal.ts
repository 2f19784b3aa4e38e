import { journalQuery, lastOfEach, mayRepeat } from '../engine/event-queries.js';
import type { Database } from './database.js';

/** Makes the events of files of NDJSON the table `fresh`: each once, and of several with the same key the one that counts. */
export async function loadJournal(database: Database, files: readonly string[]): Promise<void> {
  await database.run(`create or replace temp table fresh as ${journalQuery(files)}`);
  const [row] = await database.rows(mayRepeat('fresh'));
  if (Number(row?.['repeated'] ?? 0) > 0) await database.run(`create or replace temp table fresh as ${lastOfEach('fresh')}`);
}
