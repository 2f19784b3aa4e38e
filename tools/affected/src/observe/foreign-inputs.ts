import { type PathUses, writtenAt } from './paths.js';
import { firstUse, isBelow } from './sort-uses.js';

/** A path in the folders of a repository that was used, which holds more than the files of the commit; that the folder is there tells nothing. */
export function findRepositoryUse(uses: PathUses, folders: readonly string[]): string | undefined {
  for (const [path, use] of uses)
    if (
      folders.some((folder) => path !== folder && isBelow(path, folder)) &&
      firstUse({ ...use, absent: Infinity }) < writtenAt(uses, path)
    )
      return path;
  return undefined;
}
