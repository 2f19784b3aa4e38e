import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { manifestOf, traceFolder } from './folder-trace.js';

/** An import whose folder is gone, and the commit of the line after which it was. */
export interface GoneFolder {
  readonly path: RepoPath;
  /** The import itself. */
  readonly merge: CommitId;
  readonly by: CommitId;
}

/** What a merge lost: a folder of its own line, with its path there, or one of the branch that it joined, which was to bring it. */
export type DroppedFolder = { readonly of: 'line'; readonly path: RepoPath } | { readonly of: 'joined' };

/**
 * What a merge lost, as a conflict that was resolved wrongly does: none of the branches that it joined had taken the folder away. `undefined` for a revert, a commit that
 * deletes it, and a merge of such a commit: they are on purpose. Throws `GIT_FAILED`.
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
    // The branch had moved it, and the merge has it there.
    if (trace?.state === 'moved' && (await resolveNames(git, [`${by}:${manifestOf(trace.to)}`]))[0] !== undefined) return false;
  }
  return joined.length > 0;
}
