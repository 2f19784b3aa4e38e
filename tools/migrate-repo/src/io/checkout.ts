import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plumbing } from '@tributary/git/git';
import type { ObjectFormat } from '@tributary/git/object-id';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/**
 * Checks out a commit in a new folder, as a separate repository. It reads the monorepo's objects and shares nothing
 * else with it. It has no remote, no hook, no user setting and a single branch, `main`, so git commands of tests affect
 * only this repository. Git LFS filters do not run. Throws `GIT_FAILED`.
 */
export async function checkOut(
  from: {
    readonly gitDir: AbsolutePath;
    /** Other folders of objects that the commit needs. */
    readonly alternates?: readonly AbsolutePath[];
    readonly format: ObjectFormat;
    readonly signal: AbortSignal;
  },
  commit: CommitId,
  folder: AbsolutePath,
): Promise<void> {
  const gitDir = parseAbsolutePath(join(folder, '.git'));
  for (const below of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) mkdirSync(join(gitDir, below), { recursive: true });
  const extension = from.format === 'sha256' ? '[extensions]\n\tobjectformat = sha256\n' : '';
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(gitDir, 'config'), `[core]\n\trepositoryformatversion = ${extension === '' ? 0 : 1}\n\tbare = false\n${extension}`);
  const objects = [join(from.gitDir, 'objects'), ...(from.alternates ?? [])];
  writeFileSync(join(gitDir, 'objects/info/alternates'), objects.map((one) => `${one}\n`).join(''));
  const git = plumbing(gitDir, { signal: from.signal });
  await git.text(['update-ref', 'refs/heads/main', commit]);
  await git.text([`--work-tree=${folder}`, 'read-tree', '--reset', '-u', 'HEAD']);
}
