import { createHash } from 'node:crypto';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { TrackedFile } from '../io/tracked-files.js';

/**
 * Returns a hash of the files outside all workspaces that may change the result of a test, because turborepo hashes few of them. It leaves
 * out files that select nothing by a rule. `folders`: those of the workspaces, relative to the project's root.
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
