import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { RefName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { conflictingRef } from '../plan/names.js';
import { orDiskFull } from './full-disk.js';
import { isHeldOpen } from './held-open.js';
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.js';
import { keepFetched, removeOldFetches } from './kept-fetch.js';
import { moveRefs, readRefs } from './refs.js';
import { removeFolder } from './remove-folder.js';
import type { LocalRepository } from './target.js';
import { removeTemporary } from './temporary.js';

/**
 * Recovers from killed runs. A run that had moved no ref is undone, so the repository is as before. One that had moved
 * a ref is completed, because users may have continued from what they saw. The caller holds the lock, so the runs that
 * wrote these folders have ended. Returns the branches of completed migrations. Throws `GIT_FAILED`, `REFS_NOT_MOVED`.
 */
export async function recover(repository: LocalRepository, home: AbsolutePath): Promise<readonly RefName[]> {
  const done: RefName[] = [];
  for (const name of readdirSync(home)
    .filter((entry) => entry.startsWith('run-'))
    .sort()) {
    const folder = parseAbsolutePath(join(home, name));
    const journal = readJournal(folder);
    if (journal !== undefined) done.push(...(await settle(repository, journal)));
    removeTemporary(folder);
    keepFetched(home, folder);
    removeFolder(folder);
  }
  removeOldFetches(home);
  return done;
}

async function settle(repository: LocalRepository, journal: Journal): Promise<readonly RefName[]> {
  if (journal.kind === 'create') return settleCreation(repository, journal);
  const present = await readRefs(repository.userGit);
  // If all refs are gone, the deletion is complete. If only some are gone, restoring them loses nothing.
  if (journal.refs.some(({ ref, value }) => present.get(ref) === value)) await undo(repository, journal);
  return [];
}

/**
 * Completes or undoes a creation. git moves the refs of a transaction one after the other, each by renaming its lock.
 * So if one ref has its planned value, the packs are there. The other refs were created too, or still have the locks of
 * the killed git.
 */
async function settleCreation(repository: LocalRepository, journal: Journal): Promise<readonly RefName[]> {
  const before = await readRefs(repository.userGit);
  if (!journal.refs.some(({ ref, value }) => before.get(ref) === value)) {
    await undo(repository, journal);
    return [];
  }
  const missing = journal.refs.filter(({ ref }) => !before.has(ref) && existsSync(lockOf(repository, ref)));
  for (const { ref } of missing) rmSync(lockOf(repository, ref), { force: true });
  await moveRefs(repository.userGit, { kind: 'create', refs: missing, message: 'migrate-repo: what a killed run had begun' });
  const after = await readRefs(repository.userGit);
  return journal.refs.flatMap(({ ref, value }) => (ref.startsWith('refs/heads/') && after.get(ref) === value ? [ref] : []));
}

/**
 * Writes a journal of what `change` is about to do, and undoes the change if it fails. If the undo fails too, the
 * journal stays for the next run. Throws `REFS_NOT_MOVED`, and what `change` throws.
 */
export async function journaled(
  place: { readonly repository: LocalRepository; readonly runFolder: AbsolutePath },
  journal: Journal,
  change: () => Promise<void>,
): Promise<void> {
  refuseLockedRefs(place.repository, journal);
  writeJournal(place.runFolder, journal);
  try {
    await change();
  } catch (thrown) {
    const error = orDiskFull(thrown, place.runFolder);
    // It is unknown whether git had finished when it was stopped; the undo checks that.
    await undo(place.repository, journal).catch((failure: unknown) => {
      throw notTakenBack(error, failure);
    });
    removeJournal(place.runFolder);
    throw error;
  }
  removeJournal(place.runFolder);
}

/**
 * Rejects refs that are locked before the change begins: another program locked them. Locks of these refs that appear
 * later count as the tool's own.
 */
function refuseLockedRefs(repository: LocalRepository, journal: Journal): void {
  const lock = journal.refs.map(({ ref }) => lockOf(repository, ref)).find((file) => existsSync(file));
  if (lock === undefined) return;
  throw new ToolError({
    code: 'REFS_NOT_MOVED',
    message: `${lock} exists: another program is changing this ref. Nothing was changed.`,
    hint: 'Wait for it and run the same command again. If no git is running here, a crash has left the file: remove it.',
    data: { lock },
  });
}

function notTakenBack(error: unknown, failure: unknown): ToolError {
  const [message, why] = [error, failure].map((one) => (one instanceof Error ? one.message : String(one)));
  return new ToolError({
    code: 'REFS_NOT_MOVED',
    message: `${message} Undoing the earlier changes also failed: ${why}`,
    hint: 'Run "migrate-repo status": it first repairs this, then shows the state.',
    cause: error,
  });
}

/** Undoes what was done of a journal. Throws `GIT_FAILED`, `REFS_NOT_MOVED`. */
async function undo(repository: LocalRepository, journal: Journal): Promise<void> {
  await removeStaleLocks(repository, journal);
  if (journal.kind === 'create') await undoCreation(repository, journal);
  else await undoDeletion(repository, journal);
}

/** Undoes a creation, for a run that fails with an error: nobody has used its refs. */
async function undoCreation(repository: LocalRepository, journal: Journal): Promise<void> {
  const present = await readRefs(repository.userGit);
  const ours = journal.refs.filter(({ ref, value }) => present.get(ref) === value);
  await moveRefs(repository.userGit, { kind: 'delete', refs: ours });
  await removePacks(repository, journal.packs);
}

/** Restores deleted refs, unless their objects are missing or somebody has created conflicting refs. */
async function undoDeletion(repository: LocalRepository, journal: Journal): Promise<void> {
  const present = await readRefs(repository.userGit);
  const names = new Set(present.keys());
  const objects = await resolveNames(
    repository.userGit,
    journal.refs.map(({ value }) => value),
  );
  const gone = journal.refs.filter(({ ref }, at) => objects[at] !== undefined && conflictingRef(ref, names) === undefined);
  await moveRefs(repository.userGit, { kind: 'create', refs: gone, message: 'migrate-repo: what a broken discard had deleted' });
}

/** Removes locks that a killed git has left on the refs of the journal. No other program removes them. */
async function removeStaleLocks(repository: LocalRepository, journal: Journal): Promise<void> {
  for (const { ref } of journal.refs) rmSync(lockOf(repository, ref), { force: true });
  // A deletion, including that of undone refs, also locks the packed refs, and any git may hold that lock briefly.
  const lock = join(repository.gitDir, 'packed-refs.lock');
  const before = modified(lock);
  if (before === undefined) return;
  await wait(2000);
  if (modified(lock) === before && !isHeldOpen(lock)) rmSync(lock, { force: true });
}

function lockOf(repository: LocalRepository, ref: RefName): string {
  return join(repository.gitDir, `${ref}.lock`);
}

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Removes packs that have no reachable object: somebody may have fetched the same objects since. */
async function removePacks(repository: LocalRepository, packs: readonly string[]): Promise<void> {
  const folder = join(repository.gitDir, 'objects', 'pack');
  const left = packs.filter((pack) => statSync(join(folder, `${pack}.pack`), { throwIfNoEntry: false }) !== undefined);
  if (left.length === 0) return;
  const reachable = await listReachable(repository);
  for (const pack of left) {
    const inIndex =
      statSync(join(folder, `${pack}.idx`), { throwIfNoEntry: false }) === undefined
        ? []
        : await listPack(repository, join(folder, `${pack}.idx`));
    if (inIndex.some((id) => reachable.has(id))) continue;
    for (const ending of ['idx', 'rev', 'keep', 'pack']) rmSync(join(folder, `${pack}.${ending}`), { force: true });
  }
}

async function listReachable(repository: LocalRepository): Promise<ReadonlySet<string>> {
  const output = await repository.userGit.bytes(['rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects']);
  return new Set(output.toString('latin1').split('\n'));
}

async function listPack(repository: LocalRepository, index: string): Promise<string[]> {
  const output = await repository.userGit.text(['verify-pack', '--verbose', '--', index]);
  return output.split('\n').flatMap((line) => /^[0-9a-f]{40,64}(?= )/.exec(line)?.[0] ?? []);
}
