import { createHash } from 'node:crypto';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { TrackedFile } from '../io/tracked-files.js';

/**
 * A mark of the files outside of all workspaces that may change the result of a test: turborepo hashes few of them. The same for the same files;
 * those that a rule lets select nothing are left out. `folders`: of the workspaces, from the root of the project.
 */
export function markOutside(tracked: readonly TrackedFile[], folders: readonly string[], rules: FileRules): string {
  const inside = new Map<string, boolean>([['', false], ...folders.filter((one) => one !== '').map((one) => [one, true] as const)]);
  const isInside = (folder: string): boolean => {
    const known = inside.get(folder) ?? isInside(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))));
    inside.set(folder, known);
    return known;
  };
  const hash = createHash('sha256');
  for (const { path, kind, id } of tracked) {
    if (isInside(path.slice(0, Math.max(0, path.lastIndexOf('/')))) || rules(path, 'outside')?.affects === 'none') continue;
    hash.update(`${kind} ${id} ${path}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}
