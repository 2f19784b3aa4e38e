import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUnusable } from '@tributary/process/unusable-file';

/** Writes a file whole or not at all, with the folders on the way to it. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writeWhole(path: string, text: string): void {
  orUnusable(path, 'written', () => {
    mkdirSync(dirname(path), { recursive: true });
    const part = `${path}.part`;
    try {
      writeFileSync(part, text);
      renameSync(part, path);
    } catch (error) {
      // Half a file is of no use to anybody; what else has this name is not ours.
      if (lstatSync(part, { throwIfNoEntry: false })?.isFile() === true) rmSync(part);
      throw error;
    }
  });
}
