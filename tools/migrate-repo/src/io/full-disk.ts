import { statfsSync } from 'node:fs';
import { type ErrorCode, isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { diskFull } from '@tributary/process/spawn';
import { hasCode } from '@tributary/process/system-error';

// Where git cannot write a ref it says so, but not why.
const MAY_BE_FULL: readonly ErrorCode[] = ['GIT_FAILED', 'REFS_NOT_MOVED', 'SOURCE_UNREACHABLE', 'SOURCE_PARTIAL'];
const NEXT_TO_NOTHING = 64 * 1024;
/** A lock, the ref itself and its log. */
const FILES_OF_A_REF = 3;

/** Whether Node said that the disk, or the user's part of it, is full. */
export function isFullDisk(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}

/**
 * A failure under its true name: `DISK_FULL` if that is what it comes from, else itself. To be asked before anything is cleared away. git clears away itself
 * what it has written of a transaction: then less is free than `refs` of it would take.
 */
export function orDiskFull(error: unknown, folder: AbsolutePath, refs = 0): unknown {
  if (isFullDisk(error)) return diskFull(error);
  return isToolError(error) && MAY_BE_FULL.includes(error.code) && !hasSpace(folder, refs) ? diskFull(error) : error;
}

function hasSpace(folder: AbsolutePath, refs: number): boolean {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const fitsFiles = files === 0 || ffree > refs * FILES_OF_A_REF;
  return fitsFiles && bavail * bsize >= NEXT_TO_NOTHING + refs * FILES_OF_A_REF * bsize;
}
