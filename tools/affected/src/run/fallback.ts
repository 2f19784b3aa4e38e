import { isToolError } from '@tributary/model/errors';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import { readRootTexts } from '../io/reading.js';
import type { AffectedResult } from '../result.js';
import { readSnapshot } from './read-snapshot.js';
import type { AffectedRequest } from './request.js';

/**
 * Answers "all" instead of a failure, for `--fallback all`. It reads the workspaces from the manifests, otherwise from the lockfile, of the
 * head, otherwise of HEAD. It rethrows wrong command lines, internal errors and interruptions. It also rethrows if no workspaces are
 * readable, because an empty list would look like an answer.
 */
export async function answerAll(error: unknown, request: AffectedRequest): Promise<AffectedResult> {
  if (!isToolError(error) || error.code === 'USAGE' || error.code === 'INTERRUPTED') throw error;
  const known = (await readMembers(request, request.head ?? 'HEAD')) ?? (await readMembers(request, 'HEAD'));
  if (known === undefined) throw error;
  const workspaces = known.map(({ name, path }) => ({ name, path: path === '' ? '.' : path, reasons: [{ kind: 'all' as const }] }));
  workspaces.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    schemaVersion: 1,
    base: null,
    head: null,
    mergeBase: null,
    all: { code: 'FAILED', reason: `${error.message} (${error.code})` },
    workspaces,
    workspaceCount: workspaces.length,
    unclaimedFiles: [],
    warnings: [],
  };
}

async function readMembers(
  { cwd, fetch }: AffectedRequest,
  commit: string,
): Promise<readonly { name: string; path: string }[] | undefined> {
  try {
    const repository = await locate(cwd);
    const git = openGit(repository, { lazyFetch: fetch });
    const texts = await readRootTexts(git, commit, repository.project);
    const lock = readLockMembers(texts['yarn.lock'] ?? '');
    if (lock.kind === 'berry') return lock.graph.members;
    const side = await readSnapshot({ git, repository, files: [] }, commit, { texts, source: 'manifests' });
    return 'all' in side ? undefined : side.graph.members;
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}
