import { rmSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';

/** Removes a folder in which a program that was just stopped may still be writing. */
export function removeFolder(folder: AbsolutePath): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
