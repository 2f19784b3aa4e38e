import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@tributary/process/sync-to-disk';
import { hasCode } from '@tributary/process/system-error';
import { orUnusable } from '@tributary/process/unusable-file';

/**
 * Makes a folder and those around it where they are missing; others may make them at the same time. Not `recursive`: Node then calls it ENOENT when the disk cannot be written to.
 */
export function makeFolders(folder: string): void {
  if (makeFolder(folder) === 'made') return;
  makeFolders(dirname(folder));
  // Some file systems say so although the parent is there; or somebody has removed it. The system's own error says which.
  if (makeFolder(folder) === 'lacks its parent') mkdirSync(folder);
}

function makeFolder(folder: string): 'made' | 'lacks its parent' {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'lacks its parent';
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  return 'made';
}

/** Replaces a file as a whole, in a folder that is made where it is missing: others see what was there or what is, and it outlives a crash of the machine when this returns. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  orUnusable(file, 'written', () => {
    try {
      makeFolders(dirname(file));
      const handle = openSync(draft, 'w');
      try {
        writeFileSync(handle, text);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, file);
    } catch (error) {
      // On a full disk what was begun is in the way.
      rmSync(draft, { force: true });
      throw error;
    }
    syncFolder(dirname(file));
  });
}
