import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { pointedTo } from '../lfs-pointer.js';
import type { LargeFile } from '../plan/source-warnings.js';
import { isStored } from './lfs.js';
import type { LocalRepository } from './target.js';

/** Files anywhere in a history that a server may reject, or whose content is elsewhere. */
export interface OddBlobs {
  /** The largest first. */
  readonly large: readonly LargeFile[];
  /** The paths of Git LFS pointers whose content is not in the monorepo's own LFS store, each once, sorted. */
  readonly missingLfs: readonly string[];
}

/** The size from which GitHub warns. Source: https://docs.github.com/repositories/working-with-files/managing-large-files */
const LARGE = 50 * 1024 * 1024;

/** A pointer of Git LFS has three lines. Only one with extensions is longer. */
const POINTER = { least: 120, most: 200 };

/**
 * Finds such files in a fetched source, of a folder or of all. Only if there are any, their paths are looked up, which
 * takes as long as listing the whole history. Throws `GIT_FAILED`.
 */
export async function findOddBlobs(git: Git, target: LocalRepository, folder: RepoPath | undefined): Promise<OddBlobs> {
  const large = new Map<ObjectId, number>();
  const small: ObjectId[] = [];
  const format = '--batch-check=%(objecttype) %(objectsize) %(objectname)';
  for (const line of (await git.text(['cat-file', '--batch-all-objects', '--unordered', format])).split('\n')) {
    const [type, size = '', id = ''] = line.split(' ');
    if (type !== 'blob') continue;
    if (Number(size) >= LARGE) large.set(id as ObjectId, Number(size));
    else if (Number(size) >= POINTER.least && Number(size) <= POINTER.most) small.push(id as ObjectId);
  }
  const missing = new Set<ObjectId>();
  for (const { id, content } of await readObjects(git, small)) {
    const oid = pointedTo(content.toString('latin1'));
    if (oid !== undefined && !isStored(target, oid)) missing.add(id);
  }
  if (large.size + missing.size === 0) return { large: [], missingLfs: [] };
  const paths = await pathsOf(git, folder);
  const named = [...large].flatMap(([id, size]) => (paths.get(id) ?? []).slice(0, 1).map((path) => ({ path, size })));
  return {
    large: named.sort((one, other) => other.size - one.size),
    missingLfs: [...new Set([...missing].flatMap((id) => paths.get(id) ?? []))].sort(),
  };
}

/** Returns the paths of the objects that the fetched branch and tags reach. */
async function pathsOf(git: Git, folder: RepoPath | undefined): Promise<ReadonlyMap<ObjectId, readonly string[]>> {
  const limit = folder === undefined ? [] : ['--full-history', '--', folder];
  const listed = await git.text(['-c', 'core.quotePath=false', 'rev-list', '--objects', '--glob=refs/source/*', ...limit]);
  const paths = new Map<ObjectId, string[]>();
  for (const line of listed.split('\n')) {
    const at = line.indexOf(' ');
    if (at < 0 || at === line.length - 1) continue;
    const [id, path] = [line.slice(0, at) as ObjectId, line.slice(at + 1)];
    paths.set(id, [...(paths.get(id) ?? []), path]);
  }
  return paths;
}
