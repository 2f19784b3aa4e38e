import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Waits until the content of a file that another has written, and its name, are on the disk. */
export function syncFile(file: string): void {
  // Windows flushes only what may be written to, and nothing is truncated. Source: nodejs/node#3879
  sync(file, 'r+');
  syncFolder(dirname(file));
}

/**
 * Waits until the names in a folder are on the disk; else the name of a file may be lost although its content is there. Windows flushes no
 * folder (EPERM): NTFS has a journal for names.
 */
export function syncFolder(folder: string, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') sync(folder, 'r');
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
