import type { Git } from '@tributary/git/git';
import { streamObjects } from '@tributary/git/objects';
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
  for await (const line of linesOf(git, ['cat-file', '--batch-all-objects', '--unordered', format])) {
    const [type, size = '', id = ''] = line.split(' ');
    if (type !== 'blob') continue;
    if (Number(size) >= LARGE) large.set(id as ObjectId, Number(size));
    else if (Number(size) >= POINTER.least && Number(size) <= POINTER.most) small.push(id as ObjectId);
  }
  const missing = new Set<ObjectId>();
  for await (const group of streamObjects(git, small)) {
    for (const { id, content } of group) {
      const oid = pointedTo(content.toString('latin1'));
      if (oid !== undefined && !isStored(target, oid)) missing.add(id);
    }
  }
  if (large.size + missing.size === 0) return { large: [], missingLfs: [] };
  const paths = await pathsOf(git, folder, new Set([...large.keys(), ...missing]));
  const named = [...large].flatMap(([id, size]) => (paths.get(id) ?? []).slice(0, 1).map((path) => ({ path, size })));
  return {
    large: named.sort((one, other) => other.size - one.size),
    missingLfs: [...new Set([...missing].flatMap((id) => paths.get(id) ?? []))].sort(),
  };
}

/** Returns the paths of some objects that the fetched branch and tags reach. */
async function pathsOf(
  git: Git,
  folder: RepoPath | undefined,
  wanted: ReadonlySet<ObjectId>,
): Promise<ReadonlyMap<ObjectId, readonly string[]>> {
  const limit = folder === undefined ? [] : ['--full-history', '--', folder];
  const listed = linesOf(git, ['-c', 'core.quotePath=false', 'rev-list', '--objects', '--glob=refs/source/*', ...limit]);
  const paths = new Map<ObjectId, string[]>();
  for await (const line of listed) {
    const at = line.indexOf(' ');
    const id = line.slice(0, Math.max(at, 0)) as ObjectId;
    if (!wanted.has(id) || at === line.length - 1) continue;
    paths.set(id, [...(paths.get(id) ?? []), line.slice(at + 1)]);
  }
  return paths;
}

/** Yields the lines of git's output. All of them, for every object of a large history, are longer than a string may be. */
async function* linesOf(git: Git, args: readonly string[]): AsyncGenerator<string> {
  const running = git.start(args);
  running.stdin.end();
  let rest = '';
  for await (const chunk of running.stdout.setEncoding('utf8')) {
    const lines = `${rest}${chunk as string}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  await running.done();
  if (rest !== '') yield rest;
}
