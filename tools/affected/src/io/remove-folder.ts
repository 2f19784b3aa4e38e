import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes a folder, even if it has folders that nobody may write, such as a cache of Go's modules. Returns why it could not. */
export function removeFolder(folder: string): string | undefined {
  try {
    remove(folder);
    return undefined;
  } catch {
    return removeWritable(folder);
  }
}

function removeWritable(folder: string): string | undefined {
  try {
    makeWritable(folder);
    remove(folder);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Lets the user write each folder; links are not followed. Throws the system's own error. */
export function makeWritable(folder: string): void {
  if ((lstatSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
