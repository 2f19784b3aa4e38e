import { existsSync } from 'node:fs';
import { isToolError, ToolError } from '@tributary/model/errors';
import { journalQuery, parquetQuery } from '../engine/event-queries.js';
import type { Database } from './database.js';
import { isAsWritten } from './file-sum.js';
import type { RecordFiles } from './record-files.js';

/**
 * Returns the error for a failure while reading a record: `RECORD_INVALID` if one of the files is missing or unreadable, otherwise the
 * failure itself.
 */
export async function orDamaged(
  error: unknown,
  database: Database,
  { segments, parquet }: Pick<RecordFiles, 'segments' | 'parquet'>,
): Promise<unknown> {
  if (isToolError(error)) return error;
  const missing = parquet.find((file) => !existsSync(file));
  if (missing !== undefined) return invalid(missing, 'is missing', error);
  const queries = [
    ...segments.map(({ file }) => ({ file, query: journalQuery({ whole: [], torn: [file] }) })),
    ...parquet.map((file) => ({ file, query: parquetQuery([file]) })),
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

/**
 * Throws `RECORD_INVALID` for a Parquet file that differs from what `compact` wrote; a changed byte may leave it readable. With `size` it
 * checks only the length, for files that are not opened. Throws the errors of `statSync` for a missing file.
 */
export function checkParquet(sums: RecordFiles['sums'], files: readonly string[], look: 'size' | 'content'): void {
  const damaged = files.find((file) => !isAsWritten(file, sums.get(file), look));
  if (damaged !== undefined) throw invalid(damaged, 'is damaged', undefined);
}

/** Throws `RECORD_INVALID` for an index that differs from what `compact` wrote. */
export function checkIndex({ sums, index }: Pick<RecordFiles, 'sums' | 'index'>): void {
  if (index === undefined || isAsWritten(index.publications, sums.get(index.publications), 'content')) return;
  throw new ToolError({
    code: 'RECORD_INVALID',
    message: `${index.publications} is damaged.`,
    hint: 'Remove it: the next "commit-to-publish compact" creates it again. Reports are slower until then.',
    data: { file: index.publications },
  });
}

/** For a file that is missing and need not be opened. */
export function isGone(file: string): ToolError {
  return invalid(file, 'is missing', undefined);
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
