import { rmSync } from 'node:fs';
import type { AbsolutePath } from '@tributary/model/paths';

/** Removes a folder, even if a program that was just stopped is still writing to it. */
export function removeFolder(folder: AbsolutePath): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
