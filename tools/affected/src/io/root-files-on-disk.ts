import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashObject } from '@tributary/git/object-id';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoLocation } from './locate.js';

/** A file of the work tree, with the id that git would give it. */
export interface DiskFile {
  readonly id: ObjectId;
  readonly content: Buffer;
}

/** No lockfile is larger. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Files at the root of the project as they are on the disk; `undefined` for one that cannot be read, or in a bare repository. They are
 * those of a commit only if their ids are: that is for the caller to compare. Unpacking a large lockfile takes git ten times as long.
 */
export function readFromDisk({ workTree, project, format }: RepoLocation, files: readonly string[]): readonly (DiskFile | undefined)[] {
  return files.map((file) => {
    if (workTree === undefined) return undefined;
    try {
      const path = join(workTree, project, file);
      // No link is followed, and no pipe or device opened, which a commit may have put there.
      const stat = lstatSync(path);
      if (!stat.isFile() || stat.size > LARGEST) return undefined;
      const content = readFileSync(path);
      return { id: hashObject(format, 'blob', content), content };
    } catch {
      return undefined;
    }
  });
}
