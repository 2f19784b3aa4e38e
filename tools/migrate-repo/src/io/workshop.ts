import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { diskFull } from '@tributary/process/spawn';
import { readJournal } from './journal.js';
import { removeIfEmpty, takeLock } from './lock.js';
import { recover, removeFolder } from './recovery.js';
import type { Repository } from './target.js';

/**
 * Where a run works: a folder beside the repository's objects, on the same disk, so that what has been proven moves over by renaming.
 * Until then the repository itself has no new object, no new ref and no new setting.
 */
export interface Workshop {
  readonly folder: AbsolutePath;
  /** A new bare repository that shares nothing with the monorepo. */
  readonly newScratch: (name: string) => AbsolutePath;
}

/**
 * Undoes what killed runs have left, before anything is read of the repository: their branch would look like one that is taken. Without
 * leftovers nothing is written. Throws as `withWorkshop`.
 */
export async function putInOrder(repository: Repository): Promise<void> {
  if (existsSync(join(repository.gitDir, 'tributary'))) await withWorkshop(repository, async () => {});
}

/**
 * Takes the repository's lock, undoes what a killed run has left, works, and clears up whatever comes. Throws `TARGET_LOCKED`,
 * `DISK_FULL`, and what `work` throws.
 */
export async function withWorkshop<T>(repository: Repository, work: (workshop: Workshop) => Promise<T>): Promise<T> {
  const home = parseAbsolutePath(join(repository.gitDir, 'tributary'));
  const unlock = onFullDisk(() => takeLock(home));
  const folder = parseAbsolutePath(join(home, `run-${randomBytes(6).toString('hex')}`));
  try {
    await recover(repository, home);
    mkdirSync(folder);
    return await work({ folder, newScratch: (name) => createScratch(parseAbsolutePath(join(folder, `${name}.git`)), repository) });
  } catch (error) {
    throw isFullDisk(error) ? diskFull(error) : error;
  } finally {
    // With its journal there is something in the repository that could not be taken back now; the next run does.
    if (readJournal(folder) === undefined) removeFolder(folder);
    unlock();
    removeIfEmpty(home);
  }
}

/** What `git init` would write, without the process and without the user's template. */
function createScratch(folder: AbsolutePath, like: Repository): AbsolutePath {
  const extension = like.format === 'sha256' ? '[extensions]\n\tobjectformat = sha256\n' : '';
  for (const below of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) mkdirSync(join(folder, below), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(folder, 'config'), `[core]\n\trepositoryformatversion = ${extension === '' ? 0 : 1}\n\tbare = true\n${extension}`);
  return folder;
}

function onFullDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isFullDisk(error) ? diskFull(error) : error;
  }
}

/** Whether Node said that the disk, or the user's part of it, is full. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
