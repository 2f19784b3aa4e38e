import { writeFileSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { formatReport } from '../report/markdown.js';
import type { MigrateResult } from '../result.js';

/** Writes the report of a migration; one that is there is replaced. Throws `FILE_UNUSABLE`: the migration itself is done by then. */
export function writeReport(file: AbsolutePath, result: MigrateResult): void {
  try {
    writeFileSync(file, formatReport(result));
  } catch (error) {
    throw new ToolError({
      code: 'FILE_UNUSABLE',
      message: `The report could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      hint: `The migration is done, on the branch ${result.branch}. Take it back with "migrate-repo discard" to do it again with a report.`,
      data: { file },
      cause: error,
    });
  }
}
