import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId } from '@tributary/model/ids';
import { mayConvert, type WorkTreeFolders } from './conversions.js';
import { isCleanInIndex } from './index-entry.js';
import type { StoredObjects } from './objects.js';

/** Where so many bytes are to be read to; `undefined`: anywhere. */
export type RoomFor = (size: number) => Buffer | undefined;

/** Up to here hashing takes no longer than looking into the index. */
const SMALL = 64 * 1024;
/** No lockfile is larger. */
const LARGEST = 64 * 1024 * 1024;

/**
 * The content of a blob as it lies in the work tree, where it takes less to be read: inflating a large lockfile takes as long as all else.
 * `undefined` if the file there is another one, or none, or no regular one. `path`: from the root of the work tree. A small file is hashed;
 * a large one only if git's index does not say that it is the blob. What is read to `roomFor` fills it.
 */
export function readCheckedOut(
  objects: Pick<StoredObjects, 'idOf' | 'sizeOf'>,
  folders: WorkTreeFolders,
  { path, id, roomFor }: { readonly path: string; readonly id: ObjectId; readonly roomFor?: RoomFor | undefined },
): Buffer | undefined {
  const file = join(folders.workTree, path);
  // No link is followed, and no pipe or device opened, which a commit may have put there.
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > LARGEST) return undefined;
  const isLarge = stat.size > SMALL;
  if (isLarge && stat.size !== objects.sizeOf(id)) return undefined;
  const room = roomFor?.(stat.size);
  const content = room === undefined ? readFileSync(file) : readTo(room, file);
  if (content === undefined) return undefined;
  return (isLarge && isClean(folders, { path, id })) || objects.idOf(content) === id ? content : undefined;
}

/** `undefined` if the file has become shorter; of one that has become longer the first bytes. */
function readTo(room: Buffer, path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    let size = 0;
    for (let count = -1; count !== 0 && size < room.length; size += count) count = readSync(file, room, size, room.length - size, size);
    return size === room.length ? room : undefined;
  } finally {
    closeSync(file);
  }
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
