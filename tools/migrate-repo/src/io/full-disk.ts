import { statfsSync } from 'node:fs';
import { type ErrorCode, isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { diskFull } from '@tributary/process/spawn';
import { hasCode } from '@tributary/process/system-error';

// If git cannot write a ref, it does not say why.
const MAY_BE_FULL: readonly ErrorCode[] = ['GIT_FAILED', 'REFS_NOT_MOVED', 'SOURCE_UNREACHABLE', 'SOURCE_PARTIAL'];
const NEXT_TO_NOTHING = 64 * 1024;
/** A lock, the ref itself and its log. */
const FILES_OF_A_REF = 3;

/** Whether Node reported that the disk or the user's quota is full. */
export function isFullDisk(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}

/**
 * Returns `DISK_FULL` if that is the reason for a failure, else the failure itself. Call it before anything is cleaned
 * up. After a failed transaction, git itself removes what it has written. The disk then counts as full if it has less
 * space than `refs` refs need.
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
