import { createHash } from 'node:crypto';
import type { RepoPath } from '@tributary/model/paths';

/** The tracked entries of each folder of a commit, by folder path; `''` is the root. */
export type Listings = ReadonlyMap<string, ReadonlyMap<string, 'file' | 'folder' | 'link'>>;

export function listFolders(tracked: readonly { readonly path: RepoPath; readonly kind: 'file' | 'link' }[]): Listings {
  const folders = new Map<string, Map<string, 'file' | 'folder' | 'link'>>([['', new Map()]]);
  const add = (path: string, kind: 'file' | 'folder' | 'link'): void => {
    const cut = path.lastIndexOf('/');
    const folder = cut < 0 ? '' : path.slice(0, cut);
    if (!folders.has(folder)) {
      folders.set(folder, new Map());
      add(folder, 'folder');
    }
    folders.get(folder)?.set(path.slice(cut + 1), kind);
  };
  for (const { path, kind } of tracked) add(path, kind);
  return folders;
}

/**
 * Returns a hash of a folder's tracked entries at a commit: SHA-256 in hexadecimal, over a line `<kind> <name>` and a NUL for each entry,
 * sorted by name.
 */
export function hashListing(entries: ReadonlyMap<string, string>): string {
  const lines = [...entries].map(([name, kind]) => `${kind} ${name}\0`);
  return createHash('sha256')
    .update(lines.sort((one, other) => (one.slice(one.indexOf(' ')) < other.slice(other.indexOf(' ')) ? -1 : 1)).join(''))
    .digest('hex');
}
