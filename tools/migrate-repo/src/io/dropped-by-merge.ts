import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { manifestOf, traceFolder } from './folder-trace.js';

/** An import whose folder was removed, and the commit on the first-parent line that removed it. */
export interface GoneFolder {
  readonly path: RepoPath;
  /** The import's merge commit. */
  readonly merge: CommitId;
  readonly by: CommitId;
}

/** What a merge dropped: a folder of its first parent, with its path there, or a folder of the branch that it merged. */
export type DroppedFolder = { readonly of: 'line'; readonly path: RepoPath } | { readonly of: 'joined' };

/**
 * Returns what a merge dropped, as a wrongly resolved conflict does: no merged branch had removed the folder. Returns
 * `undefined` for intended removals: a revert, a commit that deletes the folder, and a merge of such a commit. Throws
 * `GIT_FAILED`.
 */
export async function findDropped(git: Git, gone: GoneFolder): Promise<DroppedFolder | undefined> {
  if (!(await isDroppedByMerge(git, gone))) return undefined;
  const before = await traceFolder(git, `${gone.by}^1`, {
    path: gone.path,
    landings: new Set(),
    since: undefined,
  });
  if (before.state === 'here') return { of: 'line', path: gone.path };
  return before.state === 'moved' ? { of: 'line', path: before.to } : { of: 'joined' };
}

async function isDroppedByMerge(git: Git, { path, merge, by }: GoneFolder): Promise<boolean> {
  const [, , ...joined] = (await git.text(['rev-list', '--parents', '--max-count=1', by])).split(' ') as CommitId[];
  for (const tip of joined) {
    const containsIt = (await git.attempt(['merge-base', '--is-ancestor', merge, tip])).exit === 0;
    const trace = containsIt ? await traceFolder(git, tip, { path, landings: new Set(), since: undefined }) : undefined;
    if (trace?.state === 'gone') return isDroppedByMerge(git, { path, merge, by: trace.by });
    // The branch moved the folder, and the merge has it at that place.
    if (trace?.state === 'moved' && (await resolveNames(git, [`${by}:${manifestOf(trace.to)}`]))[0] !== undefined) return false;
  }
  return joined.length > 0;
}
