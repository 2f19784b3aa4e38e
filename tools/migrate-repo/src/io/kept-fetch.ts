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

/** What was fetched over a network, waiting for the next run in the tool's own folder. */
export interface KeptFetch {
  readonly folder: AbsolutePath;
  /** For whom it was fetched. */
  readonly package: WorkspaceName;
}

const PREFIX = 'fetched-';
const LONGEST_DAYS = 30;

/** Whether an address is worth it: a repository on this machine is fetched again in no time. */
export function isFar(url: RepoUrl): boolean {
  return url.kind === 'remote' && !/^file:/i.test(reveal(url));
}

/**
 * Moves what was kept of a source to `scratch`, if there is any and it is still sound: every object of its packs is what its name says, and all
 * that its refs reach is there. What is not sound is removed. Throws `INTERRUPTED`.
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

/** Notes that a source lies whole in its scratch repository, so that it is kept unless `forget` comes. */
export function noteFetched(scratch: AbsolutePath, source: { readonly url: RepoUrl; readonly package: WorkspaceName }): void {
  const packs = readdirSync(packsOf(scratch)).filter((file) => !file.startsWith('tmp_'));
  writeFileSync(noteIn(scratch), JSON.stringify({ key: keyOf(source.url), package: source.package, packs }));
}

/** It has arrived where it was to go, or nobody is to keep it. */
export function forget(scratch: AbsolutePath): void {
  rmSync(noteIn(scratch), { force: true });
}

/** Moves the noted scratch repositories of a run to where the next one finds them, one for each source, without what the run itself has made in them. */
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

/** What is kept, in no order. */
export function listKept(home: AbsolutePath): readonly KeptFetch[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home).filter((name) => name.startsWith(PREFIX));
  return names.flatMap((name) => {
    const folder = parseAbsolutePath(join(home, name));
    const note = readNote(folder);
    return note === undefined ? [] : [{ folder, package: note.package }];
  });
}

/** Removes what nobody has come back for, and what cannot be told. */
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

/** `undefined`: nothing was fetched whole, or the note is damaged. Folders are named and removed by it, so it is taken for nothing else than it must be. */
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

/** Takes away the packs that came later; whether those that were noted are all there: a failed hand-over may have taken some along. */
function trim(scratch: AbsolutePath, packs: readonly string[]): boolean {
  for (const file of readdirSync(packsOf(scratch))) if (!packs.includes(file)) rmSync(join(packsOf(scratch), file), { force: true });
  return packs.length > 0 && packs.every((file) => existsSync(join(packsOf(scratch), file)));
}

/** Without credentials, which may change; the name of a folder must not show the address. */
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
