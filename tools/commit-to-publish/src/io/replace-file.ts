import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './journal.js';

/** Writes a file as a whole: whoever reads it, or finds it after a crash, has the text before or this one. Makes its folder. */
export function replaceFile(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  const handle = openSync(draft, 'w');
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(folder);
}
