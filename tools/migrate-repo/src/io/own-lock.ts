import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataBlock } from '../align/lock/blocks.js';
import { driftedLock, otherFormat } from '../align/lock/broken.js';
import { differingIn } from '../align/lock/survival.js';
import { type FailurePlace, installFailure } from './install-failure.js';
import { runYarn, type YarnContext } from './yarn.js';

/**
 * Lets Yarn bring the lockfile of the monorepo up to date as it was before anything came: then what the imported packages change is their doing. `folder`: its files, in no
 * repository of the person. Throws `LOCKFILE_MISMATCH` where that changes something, and as `installMonorepo`.
 */
export async function requireOwnLock(context: YarnContext, { folder, workspaces }: FailurePlace): Promise<void> {
  const file = join(folder, 'yarn.lock');
  const before = readFileSync(file, 'utf8');
  context.onPhase?.('Checking yarn.lock');
  const { succeeded, messages } = await runYarn(context, ['install', '--mode=update-lockfile'], folder);
  if (!succeeded) {
    const failure = installFailure(messages, { folder, workspaces });
    // What is locked is not resolved again: a git repository is asked for something that is not.
    throw failure.code === 'INSTALL_RUNS_CODE' ? driftedLock([String(failure.data['package'])]) : failure;
  }
  const changed = differingIn(before, readFileSync(file, 'utf8'));
  if (changed.length > 0) throw driftedLock(changed);
}

/** Yarn rewrites all of a lockfile that has another format than its own. Throws `LOCKFILE_MISMATCH`. */
export function requireSameFormat(before: string, after: string): void {
  if (metadataBlock(before) !== metadataBlock(after)) throw otherFormat();
}
