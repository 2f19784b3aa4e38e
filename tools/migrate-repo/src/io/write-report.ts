import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import { formatReport } from '../report/markdown.js';
import { formatSyncReport } from '../report/sync-report.js';
import type { MigrateResult, SyncResult } from '../result/result.js';

/** Writes the report of a migration. Throws `FILE_UNUSABLE`, `DISK_FULL`; the migration itself is then already done. */
export function writeReport(file: AbsolutePath, result: MigrateResult): void {
  const repeat = 'To repeat it with a report, first undo it with "migrate-repo discard".';
  write(file, formatReport(result), `The migration is complete, on the branch ${result.branch}. ${repeat}`);
}

/** Writes the report of a sync. Throws `FILE_UNUSABLE`, `DISK_FULL`; the sync itself is then already done. */
export function writeSyncReport(file: AbsolutePath, result: SyncResult): void {
  const where = result.branch === null ? '' : `, on the branch ${result.branch}`;
  write(file, formatSyncReport(result), `The sync itself is done${where}. Only its report is missing.`);
}

function write(file: AbsolutePath, text: string, hint: string): void {
  try {
    writeOutput(file, text);
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolError({ code: error.code, message: error.message, hint, data: error.data, cause: error });
  }
}
