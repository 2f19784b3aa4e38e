import type { RepoFolder } from '@tributary/model/paths';

/**
 * Returns the folder that a relative path names, resolved from a folder of the project: `.` and `..` are followed, trailing slashes
 * dropped. `undefined` for an absolute path and for one that leaves the project.
 */
export function resolveFolder(from: RepoFolder, path: string): RepoFolder | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return undefined;
  const names = from === '' ? [] : from.split('/');
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/') as RepoFolder;
}

/** Returns the folder that contains a file or folder; the project's own folder at the top level. */
export function parentFolder(path: string): RepoFolder {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) as RepoFolder;
}

/** Returns all folders around a file, nearest first; the last is the project's root. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder)) folders.push(folder);
  return [...folders, ''];
}

/** Returns whether the first folder is inside the second, at any depth. */
export function isBelow(folder: RepoFolder, above: RepoFolder): boolean {
  return above === '' ? folder !== '' : folder.startsWith(`${above}/`);
}
