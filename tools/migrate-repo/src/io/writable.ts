import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { hasCode } from '@tributary/process/system-error';
import type { LocalRepository } from './target.js';

/** Whether Node reported that a file or folder is not writable. */
export function isReadOnly(error: unknown): error is NodeJS.ErrnoException {
  return hasCode(error, 'EROFS', 'EACCES', 'EPERM');
}

/** Returns the error for a place that is not writable. */
export function notWritable(place: string, cause: NodeJS.ErrnoException): ToolError {
  return new ToolError({
    code: 'TARGET_NOT_WRITABLE',
    message: `${place} cannot be written to (${cause.code}). Nothing was changed.`,
    hint: 'You need write access to the git folder of the monorepo, on a writable disk.',
    data: { place },
    cause,
  });
}

/** Throws `TARGET_NOT_WRITABLE` unless objects and refs can be written to a repository. Called before anything is fetched. */
export function requireWritable({ gitDir }: Pick<LocalRepository, 'gitDir'>): void {
  for (const name of ['objects', join('objects', 'pack'), 'refs', join('refs', 'heads'), join('refs', 'tags')]) {
    const place = join(gitDir, name);
    try {
      if (existsSync(place)) accessSync(place, constants.W_OK);
    } catch (error) {
      throw isReadOnly(error) ? notWritable(place, error) : error;
    }
  }
}
