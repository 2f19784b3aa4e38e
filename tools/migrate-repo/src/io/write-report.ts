import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import { formatReport } from '../report/markdown.js';
import type { MigrateResult } from '../result/result.js';

/** Writes the report of a migration. Throws `FILE_UNUSABLE`, `DISK_FULL`; the migration itself is then already done. */
export function writeReport(file: AbsolutePath, result: MigrateResult): void {
  try {
    writeOutput(file, formatReport(result));
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolError({
      code: error.code,
      message: error.message,
      hint: `The migration is complete, on the branch ${result.branch}. To repeat it with a report, first undo it with "migrate-repo discard".`,
      data: error.data,
      cause: error,
    });
  }
}
