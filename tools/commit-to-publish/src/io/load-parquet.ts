import { parquetQuery, strangeParquetQuery } from '../engine/event-queries.js';
import type { Database } from './database.js';
import { isNewer } from './load-journal.js';

/** Opens the events of Parquet files as the view `old`. Throws `RECORD_INVALID`. */
export async function loadParquet(database: Database, files: readonly string[]): Promise<void> {
  const [strange] = files.length === 0 ? [] : await database.rows(strangeParquetQuery(files));
  if (strange !== undefined) throw isNewer(String(strange['file']));
  await database.run(`create or replace temp view old as ${parquetQuery(files)}`);
}
