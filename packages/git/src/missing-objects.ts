import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { readTextFile } from '@tributary/process/unusable-file';
import type { Git } from './git.js';

/** The limit for a fetch, so that a hanging remote does not hang a CI job. */
const TIME_LIMIT_MS = 180_000;

/**
 * Returns which objects this clone lacks. In a partial clone, git would fetch each of them by itself; here one request fetches all of them
 * before, if this git may fetch. A fetch that fails leaves them missing. Throws `GIT_FAILED`, `INTERRUPTED`.
 */
export async function fetchMissing(git: Git, ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
  let missing = await findMissing(git, ids);
  if (missing.size === 0 || git.remotes === undefined) return missing;
  for (const remote of await promisorRemotes(git)) {
    if (missing.size === 0) break;
    await fetchFrom(remote, git.remotes, missing);
    missing = await findMissing(git, [...missing]);
  }
  return missing;
}

/**
 * Tells whether git may fetch objects by itself, from the repository's own settings and without starting git. A setting that may come from
 * another file counts as yes.
 */
export function mayBePartialClone(commonDir: AbsolutePath): boolean {
  const config = join(commonDir, 'config');
  return existsSync(config) && /promisor|partialclone|include|worktreeconfig/i.test(readTextFile(config));
}

/**
 * Returns which objects this clone lacks, and fetches none: `cat-file --batch-check` would, also under `GIT_NO_LAZY_FETCH` before git 2.45;
 * `rev-list --missing` never does. Throws `GIT_FAILED`.
 */
export async function findMissing(git: Git, ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
  const missing = new Set(ids);
  if (missing.size === 0) return missing;
  const args = ['--objects', '--no-object-names', '--no-walk', '--ignore-missing', '--missing=allow-any', '--stdin'];
  const present = await git.text(['rev-list', ...args], { input: inLines(missing) });
  for (const id of present.split('\n')) missing.delete(id as ObjectId);
  return missing;
}

/** Returns the remotes that promise to have what this clone lacks. */
async function promisorRemotes(git: Git): Promise<readonly string[]> {
  const flags = await git.attempt(['config', '--null', '--type=bool', '--get-regexp', '^remote\\..*\\.promisor$']);
  const named = [...flags.stdout.toString('utf8').matchAll(/remote\.([^\n]*)\.promisor\ntrue\0/g)].map(([, name = '']) => name);
  const extension = await git.attempt(['config', '--null', '--get', 'extensions.partialClone']);
  const last = extension.stdout.toString('utf8').replace(/\0$/, '');
  return [...new Set([...named, last])].filter((name) => name !== '');
}

/** Fetches as git does for a single object (promisor-remote.c). It says nothing of a failure: whoever asks sees what is still missing. */
async function fetchFrom(remote: string, remotes: NonNullable<Git['remotes']>, ids: ReadonlySet<ObjectId>): Promise<void> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--filter=blob:none', '--stdin'];
  const args = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', ...flags, '--', remote];
  try {
    await remotes(limit).attempt(args, { input: inLines(ids) });
  } catch (error) {
    if (!limit.aborted) throw error;
  }
}

function inLines(ids: ReadonlySet<ObjectId>): string {
  return `${[...ids].join('\n')}\n`;
}
