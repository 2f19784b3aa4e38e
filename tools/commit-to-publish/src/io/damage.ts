import { existsSync } from 'node:fs';
import { isToolError, ToolError } from '@tributary/model/errors';
import { journalQuery, parquetQuery } from '../engine/event-queries.js';
import type { Database } from './database.js';
import type { ParquetFile, RecordFiles } from './record-files.js';
import { isSameSum, sumOf } from './sums.js';

/** Throws `RECORD_INVALID` for a Parquet file that is missing or differs from what `compact` wrote; a changed byte may leave it readable. */
export function checkParquet(files: readonly ParquetFile[]): void {
  for (const { file, sums } of files) {
    if (!existsSync(file)) throw invalid(file, 'is missing', undefined);
    if (sums.length === 0) continue;
    const found = sumOf(file);
    if (!sums.some((sum) => isSameSum(sum, found))) throw invalid(file, 'is damaged', undefined);
  }
}

/**
 * Returns the error for a failure while reading a record: `RECORD_INVALID` if one of the files is unreadable, otherwise the failure itself.
 */
export async function orDamaged(error: unknown, database: Database, { segments, parquet }: RecordFiles): Promise<unknown> {
  if (isToolError(error)) return error;
  const queries = [
    ...segments.map((file) => ({ file, query: journalQuery({ whole: [], torn: [file] }) })),
    ...parquet.map(({ file }) => ({ file, query: parquetQuery([file]) })),
  ];
  for (const { file, query } of queries) if (!(await canBeRead(database, query))) return invalid(file, 'is damaged', error);
  return error;
}

/** Reads the whole file: the end of a Parquet file is read first, and may be intact when the rest is not. */
async function canBeRead(database: Database, query: string): Promise<boolean> {
  try {
    await database.run(`create or replace temp table probe as ${query}`);
    await database.run('drop table probe');
    return true;
  } catch {
    return false;
  }
}

function invalid(file: string, what: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} ${what}.`,
    hint: 'Restore it from a backup. Without it, no figure is computed, because its events would be missing.',
    data: { file },
    cause,
  });
}
