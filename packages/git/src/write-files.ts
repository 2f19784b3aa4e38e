import { mkdirSync, rmSync } from 'node:fs';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type GitSettings, writingInto } from './git.js';

/**
 * Writes all files of a commit into a folder, which is created if it is missing. Existing files are overwritten where the commit has the
 * same path. Symbolic links become files that contain their target; submodules are left out. Filters that the repository itself configures
 * run; a scratch repository that borrows the objects has none. Throws `GIT_FAILED`, `DISK_FULL`.
 */
export async function writeFilesOf(
  gitDir: AbsolutePath,
  commit: CommitId,
  { folder, ...settings }: { readonly folder: AbsolutePath } & GitSettings,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const index = parseAbsolutePath(`${folder}.index`);
  try {
    const git = writingInto(gitDir, { folder, index }, settings);
    await git.bytes(['read-tree', commit]);
    await git.bytes(['checkout-index', '--all', '--force', '--quiet']);
  } finally {
    rmSync(index, { force: true });
  }
}
