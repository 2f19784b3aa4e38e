import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId } from '@tributary/model/ids';
import { mayConvert, type WorkTreeFolders } from './conversions.js';
import { isCleanInIndex } from './index-entry.js';
import type { StoredObjects } from './objects.js';

/** Up to here hashing takes no longer than looking into the index. */
const SMALL = 64 * 1024;
/** No lockfile is larger. */
const LARGEST = 64 * 1024 * 1024;

/**
 * The content of a blob as it lies in the work tree, where it takes less to be read: inflating a large lockfile takes as long as all else.
 * `undefined` if the file there is another one, or none, or no regular one. `path`: from the root of the work tree. A small file is hashed;
 * a large one only if git's index does not say that it is the blob.
 */
export function readCheckedOut(
  objects: Pick<StoredObjects, 'idOf' | 'sizeOf'>,
  folders: WorkTreeFolders,
  { path, id }: { readonly path: string; readonly id: ObjectId },
): Buffer | undefined {
  const file = join(folders.workTree, path);
  // No link is followed, and no pipe or device opened, which a commit may have put there.
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > LARGEST) return undefined;
  const isLarge = stat.size > SMALL;
  if (isLarge && stat.size !== objects.sizeOf(id)) return undefined;
  const content = readFileSync(file);
  return (isLarge && isClean(folders, { path, id })) || objects.idOf(content) === id ? content : undefined;
}

/** To be asked when the file has been read: had it been written to meanwhile, it would show. */
function isClean(folders: WorkTreeFolders, { path, id }: { readonly path: string; readonly id: ObjectId }): boolean {
  try {
    if (mayConvert(folders, path)) return false;
    return isCleanInIndex({ gitDir: folders.gitDir, path }, id, lstatSync(join(folders.workTree, path), { bigint: true }));
  } catch {
    return false;
  }
}
