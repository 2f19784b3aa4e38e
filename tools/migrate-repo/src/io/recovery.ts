import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { conflictingRef } from '../plan/names.js';
import { orDiskFull } from './full-disk.js';
import { isHeldOpen } from './held-open.js';
import { type Journal, type RefValue, readJournal, removeJournal, writeJournal } from './journal.js';
import { keepFetched, removeOldFetches } from './kept-fetch.js';
import { moveRefs, readRefs } from './refs.js';
import { removeFolder } from './remove-folder.js';
import type { LocalRepository } from './target.js';
import { removeTemporary } from './temporary.js';

/**
 * Undoes what runs have left that were killed, so that the repository is as it was before them. The caller holds the lock: whoever wrote
 * these folders is gone. Throws `GIT_FAILED`, `REFS_NOT_MOVED`.
 */
export async function recover(repository: LocalRepository, home: AbsolutePath): Promise<void> {
  for (const name of readdirSync(home)
    .filter((entry) => entry.startsWith('run-'))
    .sort()) {
    const folder = parseAbsolutePath(join(home, name));
    const journal = readJournal(folder);
    if (journal !== undefined) await undo(repository, journal);
    removeTemporary(folder);
    keepFetched(home, folder);
    removeFolder(folder);
  }
  removeOldFetches(home);
}

/**
 * Writes down what `change` is about to do, and takes it back if it fails. If even that fails, the journal stays for the next run. Throws
 * `REFS_NOT_MOVED`, and what `change` throws.
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
    // Whether git was done when it was stopped is not known here; undoing looks.
    await undo(place.repository, journal).catch((failure: unknown) => {
      throw notTakenBack(error, failure);
    });
    removeJournal(place.runFolder);
    throw error;
  }
  removeJournal(place.runFolder);
}

/** A lock that is there before we have begun is somebody else's; from then on one of these names is taken for ours. */
function refuseLockedRefs(repository: LocalRepository, journal: Journal): void {
  const lock = journal.refs.map(({ ref }) => join(repository.gitDir, `${ref}.lock`)).find((file) => existsSync(file));
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
    message: `${message} What had been done could not be taken back: ${why}`,
    hint: 'Run the same command again: it begins with taking it back.',
    cause: error,
  });
}

/** Takes back what a journal says, as far as it was done. Throws `GIT_FAILED`, `REFS_NOT_MOVED`. */
async function undo(repository: LocalRepository, journal: Journal): Promise<void> {
  await removeStaleLocks(repository, journal);
  if (journal.kind === 'create') await undoCreation(repository, journal);
  else await undoDeletion(repository, journal);
}

async function undoCreation(repository: LocalRepository, journal: Journal): Promise<void> {
  const present = await readRefs(repository.userGit);
  const ours = journal.refs.filter(({ ref, value }) => present.get(ref) === value);
  // Whoever has gone on from the branch has seen the run as done.
  if ((await isCheckedOut(repository, ours)) || (await isContainedElsewhere(repository, ours))) return;
  await moveRefs(repository.userGit, { kind: 'delete', refs: ours });
  await removePacks(repository, journal.packs);
}

/** Brings back the refs that are gone, unless their objects are gone too or somebody has made others in their place. */
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

/** A killed git leaves the locks of the refs that it was about to move; nobody else takes them away. */
async function removeStaleLocks(repository: LocalRepository, journal: Journal): Promise<void> {
  for (const { ref } of journal.refs) rmSync(join(repository.gitDir, `${ref}.lock`), { force: true });
  // Deleting, which undoes a creation too, also locks the file of packed refs, which any git may hold for a moment.
  const lock = join(repository.gitDir, 'packed-refs.lock');
  const before = modified(lock);
  if (before === undefined) return;
  await wait(2000);
  if (modified(lock) === before && !isHeldOpen(lock)) rmSync(lock, { force: true });
}

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

async function isCheckedOut(repository: LocalRepository, refs: readonly RefValue[]): Promise<boolean> {
  const output = await repository.userGit.text(['worktree', 'list', '--porcelain']);
  const checkedOut = new Set([...output.matchAll(/^branch (.*)$/gm)].map((line) => line[1]));
  return refs.some(({ ref }) => checkedOut.has(ref));
}

/** Somebody may have merged the branch without ever checking it out. */
async function isContainedElsewhere(repository: LocalRepository, refs: readonly RefValue[]): Promise<boolean> {
  const branch = refs.find(({ ref }) => ref.startsWith('refs/heads/'));
  if (branch === undefined) return false;
  const holders = await repository.userGit.text([
    'for-each-ref',
    '--contains',
    branch.value,
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes',
  ]);
  return holders.split('\n').some((ref) => ref !== '' && ref !== branch.ref);
}

/** Removes packs unless anything in them can be reached: somebody may have fetched the same objects since. */
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
