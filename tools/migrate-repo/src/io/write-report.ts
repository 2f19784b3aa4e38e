import { statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { formatReport } from '../report/markdown.js';
import type { MigrateResult } from '../result.js';

/** Before anything is fetched: whether a report can go there at all. Throws `FILE_UNUSABLE`. */
export function checkReportPlace(file: AbsolutePath): void {
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder(file) && isFolder(dirname(file))) return;
  throw new ToolError({
    code: 'FILE_UNUSABLE',
    message: `The report cannot be written to ${file}: ${isFolder(file) ? 'it is a folder' : 'there is no such folder'}. Nothing was changed.`,
    hint: 'Name a file in a folder that is there, such as --report report.md.',
    data: { file },
  });
}

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
