import { isInside, type RepoPath } from '@tributary/model/paths';

/** Whether neither folder contains the other. */
export function separatePaths(one: RepoPath, other: RepoPath): boolean {
  return !isInside(one, other) && !isInside(other, one);
}
