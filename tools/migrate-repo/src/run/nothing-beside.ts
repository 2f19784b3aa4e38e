import type { Git } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import { isInside, type RepoPath } from '@tributary/model/paths';

/**
 * Returns the first file outside a folder in which a merge commit differs from its first parent; `undefined` if there
 * is none, as for an import. Throws `GIT_FAILED`.
 */
export async function findBeside(git: Git, merge: CommitId, path: RepoPath): Promise<string | undefined> {
  const output = await git.bytes(['diff-tree', '-r', '-z', '--name-only', '--no-renames', `${merge}^1`, merge]);
  return splitNul(output.toString('latin1'))
    .map(nameAsText)
    .find((file) => !isInside(file, path));
}
