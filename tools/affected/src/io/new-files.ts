import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { finishFirst } from '@tributary/process/hold-signals';
import { refuseLinks } from '@tributary/process/links-on-the-way';
import { orUnusable, readTextFile } from '@tributary/process/unusable-file';

/** Returns the text of a file in a working tree; `undefined` if it does not exist. Throws `FILE_UNUSABLE`. */
export function readIfThere(folder: AbsolutePath, path: string): string | undefined {
  const file = join(folder, path);
  return orUnusable(file, 'read', () => (lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readTextFile(file)));
}

/**
 * Writes files that do not exist yet: all of them or, after a failure, none. It follows no link, and creates missing folders. Throws
 * `FILE_UNUSABLE`, also for a file created in the meantime, and `DISK_FULL`.
 */
export function writeNewFiles(folder: AbsolutePath, files: readonly NewFile[]): void {
  finishFirst(() => writeAllOrNone(folder, files));
}

interface NewFile {
  readonly path: string;
  readonly content: string;
}

function writeAllOrNone(folder: AbsolutePath, files: readonly NewFile[]): void {
  const written: string[] = [];
  const made: string[] = [];
  try {
    for (const { path, content } of files) {
      const file = join(folder, path);
      orUnusable(file, 'written', () => {
        refuseLinks(folder, dirname(file));
        const first = mkdirSync(dirname(file), { recursive: true });
        if (first !== undefined) made.push(first);
        writeFileSync(file, '', { flag: 'wx' });
        written.push(file);
        writeFileSync(file, content);
      });
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    for (const own of made) rmSync(own, { recursive: true, force: true });
    throw error;
  }
}
