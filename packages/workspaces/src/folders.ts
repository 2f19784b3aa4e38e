import type { RepoFolder } from '@tributary/model/paths';

/**
 * The folder that a relative path names, seen from a folder of the project: `.` and `..` are followed, slashes at the end dropped.
 * `undefined` for an absolute path and for one that leaves the project.
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

/** The folder that holds a file or folder; the project's own folder for what lies in no other. */
export function parentFolder(path: string): RepoFolder {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) as RepoFolder;
}

/** Whether the first folder has the second above it, at any distance. */
export function isBelow(folder: RepoFolder, above: RepoFolder): boolean {
  return above === '' ? folder !== '' : folder.startsWith(`${above}/`);
}
