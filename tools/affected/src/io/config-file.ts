import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { writeOutput } from '@tributary/process/output-file';
import { readTextFile } from '@tributary/process/unusable-file';
import type { RepoLocation } from './locate.js';

/** The `tributary.json` of a working tree. */
export interface WorkingConfig {
  /** `undefined` if there is none. */
  readonly text: string | undefined;
  /** Replaces the file atomically. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
  readonly write: (text: string) => void;
}

/** Throws `TARGET_NOT_FOUND` for a bare repository, `FILE_UNUSABLE` if the file is unreadable. */
export function openWorkingConfig({ workTree, gitDir, project }: RepoLocation, option: '--fix' | '--write'): WorkingConfig {
  if (workTree === undefined) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${gitDir} is a bare repository: ${option} needs a working tree to write tributary.json.`,
      hint: 'Run the command in a clone with a working tree.',
    });
  }
  const path = join(workTree, project, 'tributary.json');
  const text = existsSync(path) ? readTextFile(path) : undefined;
  return { text, write: (next) => writeOutput(path, next) };
}
