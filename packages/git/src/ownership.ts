import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { shellWord } from '@tributary/model/shell-word';
import { asUser } from './git.js';

/** A repository that was found on the disk, without git. */
export interface FoundRepository {
  /** Of a linked worktree, its own part. */
  readonly gitDir: AbsolutePath;
  /** `undefined` for a bare repository. */
  readonly workTree: AbsolutePath | undefined;
}

/**
 * Rejects a repository that git would refuse because another user owns it: its settings could run programs. Plumbing would not notice, for
 * git trusts a `GIT_DIR`. Throws `TARGET_NOT_TRUSTED`, `TARGET_NOT_FOUND`.
 */
export async function refuseUntrusted(found: FoundRepository): Promise<void> {
  if (isOwn(found)) return;
  const folder = realpathSync.native(found.workTree ?? found.gitDir) as AbsolutePath;
  const gitDir = await refuseForeign(folder);
  if (gitDir !== undefined && realpathSync.native(gitDir) === realpathSync.native(found.gitDir)) return;
  throw new ToolError({
    code: 'TARGET_NOT_FOUND',
    message: `git does not use ${found.gitDir} as a repository.`,
    hint: `See why: git -C ${shellWord(folder)} rev-parse --git-dir`,
  });
}

/**
 * Asks git for the repository around a folder, with the user's `safe.directory`. Returns its git directory; `undefined` if there is none.
 * Throws `TARGET_NOT_TRUSTED`.
 */
export async function refuseForeign(folder: AbsolutePath): Promise<string | undefined> {
  const { exit, stdout, stderr } = await asUser(folder).attempt(['rev-parse', '--absolute-git-dir']);
  const foreign = foreignRepository(stderr);
  if (foreign !== undefined) throw notTrusted(foreign);
  return exit === 0 ? stdout.toString('utf8').replace(/\r?\n$/, '') : undefined;
}

/**
 * Whether git cannot refuse the repository, because this user owns all that git looks at. It saves the start of git in nearly every call. In
 * all other cases git decides: it knows `safe.directory`, `sudo`, the owners of Windows and, for bare repositories, `safe.bareRepository`.
 */
function isOwn({ gitDir, workTree }: FoundRepository): boolean {
  const user = process.geteuid?.();
  if (user === undefined || workTree === undefined || !existsSync(gitDir)) return false;
  const top = realpathSync(workTree);
  return [top, join(top, '.git'), realpathSync(gitDir)].every((path) => lstatSync(path).uid === user);
}

/** Returns the folder that git refuses because another user owns it, from git's message; `undefined` for other messages. */
export function foreignRepository(stderr: string): string | undefined {
  return /detected dubious ownership in repository at '(.*?)'(?:\n|$)/s.exec(stderr)?.[1];
}

/** Returns the error for such a folder. */
export function notTrusted(folder: string): ToolError {
  return new ToolError({
    code: 'TARGET_NOT_TRUSTED',
    message: `git refuses to use the repository in ${folder}, because another user owns it.`,
    hint: hintToTrust(folder),
    data: { folder },
  });
}

/** Returns the hint for such a folder. */
export function hintToTrust(folder: string): string {
  return `If you trust it: git config --global --add safe.directory ${shellWord(folder)}`;
}
