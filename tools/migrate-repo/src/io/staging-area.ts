import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { removeIfEmpty, takeLock } from '@tributary/process/lock';
import { diskFull } from '@tributary/process/spawn';
import { isFullDisk, orDiskFull } from './full-disk.js';
import { locked } from './locked.js';
import { removeFolder } from './remove-folder.js';
import type { LocalRepository } from './target.js';
import { makeTemporary, removeTemporary } from './temporary.js';
import { isReadOnly, notWritable } from './writable.js';

/**
 * The working folder of a run. It is beside the repository's objects, on the same disk, so that proven packs are
 * renamed into place. Until then, the repository has no new object, ref or setting.
 */
export interface StagingArea {
  readonly folder: AbsolutePath;
  /** Creates a bare repository that shares nothing with the monorepo. */
  readonly newScratch: (name: string) => AbsolutePath;
  /** Creates a folder outside the repository. It replaces the previous one, because a run has only one at a time. */
  readonly newTemporary: () => AbsolutePath;
}

/**
 * Clears up after killed runs, before the repository is read. Writes nothing if there is nothing to clear up. Throws as
 * `withStagingArea`.
 */
export async function clearUp(repository: LocalRepository): Promise<void> {
  if (existsSync(homeOf(repository))) await withStagingArea(repository, async () => {});
}

/**
 * Locks the repository, clears up after a killed run, runs `work`, and always clears up afterwards. Throws
 * `TARGET_LOCKED`, `TARGET_NOT_WRITABLE`, `DISK_FULL`, and what `work` throws.
 */
export async function withStagingArea<T>(repository: LocalRepository, work: (stagingArea: StagingArea) => Promise<T>): Promise<T> {
  const home = homeOf(repository);
  const unlock = lock(home);
  const folder = parseAbsolutePath(join(home, `run-${randomBytes(6).toString('hex')}`));
  try {
    removeKilledRuns(home);
    mkdirSync(folder);
    const config = scratchConfig(repository.format, await readSharing(repository));
    const placeOf = (name: string): AbsolutePath => parseAbsolutePath(join(folder, `${name}.git`));
    const newScratch = (name: string): AbsolutePath =>
      createScratch(
        freePlace((at) => placeOf(at === 0 ? name : `${name}-${at}`)),
        config,
      );
    return await work({
      folder,
      newScratch,
      newTemporary: () => {
        removeTemporary(folder);
        return makeTemporary(folder);
      },
    });
  } catch (error) {
    throw readOnlyIn(repository, error) ?? orDiskFull(error, home);
  } finally {
    removeTemporary(folder);
    removeFolder(folder);
    unlock();
    removeIfEmpty(home);
  }
}

/** Removes what killed runs have left. The caller holds the lock, so those runs have ended. Before 0.1.0, fetches were kept, too. */
function removeKilledRuns(home: AbsolutePath): void {
  for (const name of readdirSync(home).filter((entry) => /^(?:run|fetched)-/.test(entry))) {
    const folder = parseAbsolutePath(join(home, name));
    removeTemporary(folder);
    removeFolder(folder);
  }
}

function readOnlyIn({ gitDir }: LocalRepository, error: unknown): ToolError | undefined {
  if (!isReadOnly(error)) return undefined;
  // For a rename, the destination is more informative.
  const { path, dest = path }: NodeJS.ErrnoException & { readonly dest?: string } = error;
  return dest?.startsWith(gitDir) === true ? notWritable(dest, error) : undefined;
}

/** Returns the tool's own folder in a repository. */
export function homeOf(repository: LocalRepository): AbsolutePath {
  return parseAbsolutePath(join(repository.gitDir, 'tributary'));
}

function freePlace(placeAt: (at: number) => AbsolutePath): AbsolutePath {
  let at = 0;
  while (existsSync(placeAt(at))) at++;
  return placeAt(at);
}

/** Creates what `git init` would write, without a process and without the user's template. */
function createScratch(folder: AbsolutePath, config: string): AbsolutePath {
  for (const below of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) mkdirSync(join(folder, below), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(folder, 'config'), config);
  return folder;
}

function scratchConfig(format: LocalRepository['format'], sharing: string | undefined): string {
  const extension = format === 'sha256' ? '[extensions]\n\tobjectformat = sha256\n' : '';
  const shared = sharing === undefined ? '' : `\tsharedRepository = ${sharing}\n`;
  return `[core]\n\trepositoryformatversion = ${extension === '' ? 0 : 1}\n\tbare = true\n${shared}${extension}`;
}

/**
 * Returns who else may read the repository, because packs keep the permissions that they are created with. Only a word
 * or a number is passed on.
 */
async function readSharing(repository: LocalRepository): Promise<string | undefined> {
  const answer = await repository.git.attempt(['config', '--get', 'core.sharedRepository']);
  const value = answer.stdout.toString('utf8').trim();
  return /^\w+$/.test(value) ? value : undefined;
}

function lock(home: AbsolutePath): () => void {
  try {
    return takeLock(home, locked);
  } catch (error) {
    if (isFullDisk(error)) throw diskFull(error);
    throw isReadOnly(error) ? notWritable(home, error) : error;
  }
}
