import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { finishFirst } from '@tributary/process/hold-signals';
import { syncFolder } from '@tributary/process/sync-to-disk';
import { hasCode } from '@tributary/process/system-error';
import { orUnusable } from '@tributary/process/unusable-file';

/**
 * Creates a folder and its missing parents; other processes may do so at the same time. It does not use `recursive`, because Node then
 * reports ENOENT if the disk is not writable.
 */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/**
 * Replaces a file atomically, and creates its folder if needed. Readers see the old or the new content, and the file survives a crash of
 * the machine once this returns. `named`: what a failure names in place of
 * the file. Throws `DISK_FULL`, `FILE_UNUSABLE`.
 */
export function replaceFile(file: string, content: string | Uint8Array, named = file): void {
  finishFirst(() => writeDurably(file, content, named));
}

function writeDurably(file: string, content: string | Uint8Array, named: string): void {
  const draft = `${file}.${process.pid}.draft`;
  orUnusable(named, 'written', () => {
    try {
      makeFolders(dirname(file));
      const handle = openSync(draft, 'w');
      try {
        writeFileSync(handle, content);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, file);
    } catch (error) {
      // On a full disk, the draft would take up space.
      rmSync(draft, { force: true });
      throw error;
    }
    syncFolder(dirname(file));
  });
}
