import { type PathUses, writtenAt } from './paths.js';
import { firstUse, isBelow } from './sort-uses.js';

/**
 * Returns a path in a repository's folders that was used before it was written. Such a repository has more than the files of the commit.
 * Using only the folder itself does not count.
 */
export function findRepositoryUse(uses: PathUses, folders: readonly string[]): string | undefined {
  for (const [path, use] of uses)
    if (
      folders.some((folder) => path !== folder && isBelow(path, folder)) &&
      firstUse({ ...use, absent: Infinity }) < writtenAt(uses, path)
    )
      return path;
  return undefined;
}
