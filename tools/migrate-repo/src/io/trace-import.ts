import type { Git } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import { type FolderQuestion, type FolderTrace, movedTo, traceFolder } from './folder-trace.js';
import { findMerges } from './imports.js';

export interface ImportQuestion extends FolderQuestion {
  /** The import that the commit contains and that brought the folder. */
  readonly merge: CommitId;
}

/**
 * Follows a folder that an import brought, as `traceFolder` does. If the first-parent line never had it, follows the
 * branch with the import, which may have moved or removed the folder before it was merged. Otherwise the merge of that
 * branch took none of its files, as "git merge --strategy ours" does, and counts as removing the folder. Throws
 * `GIT_FAILED`.
 */
export async function traceImport(git: Git, head: CommitId, question: ImportQuestion): Promise<FolderTrace> {
  const trace = await traceFolder(git, head, question);
  if (trace.state !== 'never') return trace;
  const joined = await findJoined(git, head, question.merge);
  if (joined === undefined) return trace;
  const { landing, tip } = joined;
  const onBranch = await traceImport(git, tip, { ...question, landings: new Set(), since: undefined });
  if (onBranch.state === 'gone' || onBranch.state === 'never') return onBranch;
  const left = onBranch.state === 'moved' ? onBranch.to : question.path;
  const arrived = (await movedTo(git, left, { from: tip, to: landing })) ?? left;
  const here = arrived === question.path ? trace : await traceFolder(git, head, { ...question, path: arrived });
  if (here.state === 'never') return { state: 'gone', by: landing };
  const by = onBranch.state === 'moved' ? onBranch.by : landing;
  return here.state === 'here' ? { state: 'moved', origin: here.origin, by, to: arrived } : here;
}

/**
 * Returns the merge on a commit's first-parent line that brought an import, and the merged branch; `undefined` if the
 * import is on that line itself.
 */
async function findJoined(
  git: Git,
  head: CommitId,
  merge: CommitId,
): Promise<{ readonly landing: CommitId; readonly tip: CommitId } | undefined> {
  const landing = (await findMerges(git, [{ merge, branch: undefined }], { head })).get(merge);
  if (landing === undefined) return undefined;
  const [, , ...joined] = (await git.text(['rev-list', '--parents', '--max-count=1', landing])).split(' ') as CommitId[];
  for (const tip of joined) if ((await git.attempt(['merge-base', '--is-ancestor', merge, tip])).exit === 0) return { landing, tip };
  return undefined;
}
