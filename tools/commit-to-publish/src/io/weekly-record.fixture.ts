import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { manifestOf, parquetOf } from './record-files.js';
import { sumOf } from './sums.js';

/**
 * Makes a record of an older program of one whose events are all compacted: a file of a week, an index, and a `record.json` that names
 * them. `compacted`: names of segments that are in the file. Returns the path of the file.
 */
export function makeWeekly(record: AbsolutePath, compacted: readonly string[] = []): string {
  const name = 'events/week=2026-01-05/000001_0.parquet';
  const file = join(record, name);
  for (const folder of [dirname(file), join(record, 'index')]) mkdirSync(folder, { recursive: true });
  renameSync(parquetOf(record), file);
  writeFileSync(join(record, 'index/000001.parquet'), 'an index');
  const index = { reach: { '2026-01-05': '2026-01-05' }, publications: 'index/000001.parquet' };
  writeFileSync(
    manifestOf(record),
    JSON.stringify({ schemaVersion: 1, generation: 1, files: [name], index, sums: { [name]: sumOf(file) }, compacted }),
  );
  return file;
}
