import { isInside, type RepoPath } from '@tributary/model/paths';

/** Whether neither of two folders is in the other. */
export function separatePaths(one: RepoPath, other: RepoPath): boolean {
  return !isInside(one, other) && !isInside(other, one);
}
