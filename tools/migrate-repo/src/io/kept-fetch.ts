import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plumbing } from '@tributary/git/git';
import { isToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';
import { removeFolder } from './remove-folder.js';

/** A source that was fetched over a network and is kept for the next run, in the tool's own folder. */
export interface KeptFetch {
  readonly folder: AbsolutePath;
  /** The package that it was fetched for. */
  readonly package: WorkspaceName;
}

const PREFIX = 'fetched-';
const LONGEST_DAYS = 30;

/** Whether a fetch is worth keeping. A repository on this machine is fetched again quickly. */
export function isFar(url: RepoUrl): boolean {
  return url.kind === 'remote' && !/^file:/i.test(reveal(url));
}

/**
 * Moves the kept fetch of a source to `scratch`, if there is one and it is intact: every object matches its id, and
 * everything that its refs reach exists. A damaged one is removed. Throws `INTERRUPTED`.
 */
export async function takeKept(
  home: AbsolutePath,
  source: { readonly url: RepoUrl; readonly scratch: AbsolutePath },
  signal: AbortSignal,
): Promise<'taken' | 'none'> {
  const kept = folderOf(home, source.url);
  if (!existsSync(kept)) return 'none';
  renameSync(kept, source.scratch);
  if (await isSound(source.scratch, signal)) return 'taken';
  removeFolder(source.scratch);
  return 'none';
}

async function isSound(scratch: AbsolutePath, signal: AbortSignal): Promise<boolean> {
  const git = plumbing(scratch, { signal });
  const indices = readdirSync(packsOf(scratch)).filter((file) => file.endsWith('.idx'));
  try {
    for (const index of indices) await git.bytes(['verify-pack', '--', join(packsOf(scratch), index)]);
    await git.bytes(['rev-list', '--objects', '--quiet', '--all']);
    return indices.length > 0;
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    return false;
  }
}

/** Notes that a source is complete in its scratch repository. It is then kept, unless `forget` is called. */
export function noteFetched(scratch: AbsolutePath, source: { readonly url: RepoUrl; readonly package: WorkspaceName }): void {
  const packs = readdirSync(packsOf(scratch)).filter((file) => !file.startsWith('tmp_'));
  writeFileSync(noteIn(scratch), JSON.stringify({ key: keyOf(source.url), package: source.package, packs }));
}

/** Stops keeping a source, because it was handed over or is not needed. */
export function forget(scratch: AbsolutePath): void {
  rmSync(noteIn(scratch), { force: true });
}

/** Moves the noted scratch repositories of a run to the folder for the next run, one for each source, without packs that the run added. */
export function keepFetched(home: AbsolutePath, runFolder: AbsolutePath): readonly KeptFetch[] {
  if (!existsSync(runFolder)) return [];
  const scratches = readdirSync(runFolder).filter((name) => name.endsWith('.git'));
  return scratches.flatMap((name): readonly KeptFetch[] => {
    const scratch = parseAbsolutePath(join(runFolder, name));
    const note = readNote(scratch);
    if (note === undefined || !trim(scratch, note.packs)) return [];
    const folder = parseAbsolutePath(join(home, `${PREFIX}${note.key}.git`));
    removeFolder(folder);
    renameSync(scratch, folder);
    return [{ folder, package: note.package }];
  });
}

/** Returns the kept fetches, in no particular order. */
export function listKept(home: AbsolutePath): readonly KeptFetch[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home).filter((name) => name.startsWith(PREFIX));
  return names.flatMap((name) => {
    const folder = parseAbsolutePath(join(home, name));
    const note = readNote(folder);
    return note === undefined ? [] : [{ folder, package: note.package }];
  });
}

/** Removes fetches that are too old, or whose note is unreadable. */
export function removeOldFetches(home: AbsolutePath): void {
  const known = new Set<string>(listKept(home).map(({ folder }) => folder));
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = parseAbsolutePath(join(home, name));
    const days = (Date.now() - (statSync(noteIn(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0)) / 86_400_000;
    if (!known.has(folder) || days > LONGEST_DAYS) removeFolder(folder);
  }
}

interface Note {
  readonly key: string;
  readonly package: WorkspaceName;
  readonly packs: readonly string[];
}

/**
 * Reads a note; `undefined` if the fetch was not complete, or the note is damaged. Its fields are checked strictly,
 * because folders are named and removed by them.
 */
function readNote(scratch: AbsolutePath): Note | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(noteIn(scratch), 'utf8'));
    if (!isPlainObject(note) || typeof note['key'] !== 'string' || !/^[0-9a-f]{16}$/.test(note['key'])) return undefined;
    if (typeof note['package'] !== 'string' || !Array.isArray(note['packs'])) return undefined;
    return { key: note['key'], package: note['package'] as WorkspaceName, packs: note['packs'].map(String) };
  } catch {
    return undefined;
  }
}

/** Removes packs that were added later. Returns whether all noted packs are there: a failed hand-over may have moved some. */
function trim(scratch: AbsolutePath, packs: readonly string[]): boolean {
  for (const file of readdirSync(packsOf(scratch))) if (!packs.includes(file)) rmSync(join(packsOf(scratch), file), { force: true });
  return packs.length > 0 && packs.every((file) => existsSync(join(packsOf(scratch), file)));
}

/**
 * Returns the key of a source, without credentials, which may change. It is a hash, so that the folder's name does not
 * show the address.
 */
function keyOf(url: RepoUrl): string {
  return createHash('sha256').update(url.toString()).digest('hex').slice(0, 16);
}

function folderOf(home: AbsolutePath, url: RepoUrl): AbsolutePath {
  return parseAbsolutePath(join(home, `${PREFIX}${keyOf(url)}.git`));
}

function packsOf(scratch: AbsolutePath): string {
  return join(scratch, 'objects', 'pack');
}

function noteIn(scratch: AbsolutePath): string {
  return join(scratch, 'fetched.json');
}
