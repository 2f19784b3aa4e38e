import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { parseListedFiles } from '@tributary/git/parse';
import type { CommitId } from '@tributary/model/ids';
import type { LostState } from '../plan/fates.js';
import type { FoundImport } from './imports.js';

/**
 * Returns how the files of another branch's import came to a ref with `origin`, a commit that is not an import;
 * `undefined` if they are independent files. Throws `GIT_FAILED`.
 */
export async function howLost(git: Git, found: FoundImport, origin: CommitId | undefined): Promise<LostState | undefined> {
  if (origin === undefined) return undefined;
  const { record, merge, branch } = found;
  const places = [origin, merge, ...(branch === undefined ? [] : [branch])].map((at) => `${at}:${record.path}`);
  const [folder, ...imported] = await resolveNames(git, places);
  if (folder === undefined) return undefined;
  if (imported.some((one) => one?.id === folder.id)) return 'squashed';
  if (await isReplayed(git, record.importedTip, origin)) return 'rebased';
  return (await isMostlyFrom(git, folder.id, merge)) ? 'copied' : undefined;
}

/** Whether a commit is a rebased commit of a history: rebasing keeps author, date and subject. */
async function isReplayed(git: Git, tip: CommitId, commit: CommitId): Promise<boolean> {
  const format = '--format=%an%x00%ae%x00%at%x00%s';
  const own = await git.text(['log', '-1', format, commit]);
  return (await git.text(['log', format, tip])).split('\n').includes(own);
}

/** Whether at least half of the files of a folder are in a commit, at any path. */
async function isMostlyFrom(git: Git, folder: string, commit: CommitId): Promise<boolean> {
  const filesOf = async (tree: string): Promise<readonly string[]> =>
    parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', tree])).toString('latin1')).map(({ id }) => id);
  const imported = new Set(await filesOf(commit));
  const files = await filesOf(folder);
  return files.filter((id) => imported.has(id)).length * 2 >= files.length;
}
