import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataBlock } from '../align/lock/blocks.js';
import { driftedLock, otherFormat } from '../align/lock/broken.js';
import { differingIn } from '../align/lock/survival.js';
import { type FailurePlace, installFailure } from './install-failure.js';
import { runYarn, type YarnContext } from './yarn.js';

/**
 * Checks that Yarn would not change the monorepo's lockfile before the import, so that later changes are due to the
 * imported packages. `folder`: its files, outside any repository of the user. Throws `LOCKFILE_MISMATCH` if it would
 * change, and as `installMonorepo`.
 */
export async function requireOwnLock(context: YarnContext, { folder, workspaces }: FailurePlace): Promise<void> {
  const file = join(folder, 'yarn.lock');
  const before = readFileSync(file, 'utf8');
  context.onPhase?.('Checking yarn.lock');
  const { succeeded, messages } = await runYarn(context, ['install', '--mode=update-lockfile'], folder);
  if (!succeeded) {
    const failure = installFailure(messages, { folder, workspaces });
    // Locked packages are not resolved again. If a git repository is needed, its package is not locked.
    throw failure.code === 'INSTALL_RUNS_CODE' ? driftedLock([String(failure.data['package'])]) : failure;
  }
  const changed = differingIn(before, readFileSync(file, 'utf8'));
  if (changed.length > 0) throw driftedLock(changed);
}

/** Throws `LOCKFILE_MISMATCH` if the format changes: Yarn rewrites a whole lockfile that has another format than its own. */
export function requireSameFormat(before: string, after: string): void {
  if (metadataBlock(before) !== metadataBlock(after)) throw otherFormat();
}
