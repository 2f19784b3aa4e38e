import { branchRef, shortRef } from '@tributary/model/ids';
import type { Services } from '@tributary/terminal/main';
import { moveRefs, readRefs } from '../io/refs.js';
import { withStagingArea } from '../io/staging-area.js';
import { syncBranch } from '../plan/sync-branch.js';
import type { DiscardResult } from '../result/import-result.js';
import { notOpen, readOpenSync } from './open-sync.js';
import { openInOrder } from './put-in-order.js';
import type { SyncRequest } from './sync-request.js';

/**
 * Aborts a merge with conflicts. Deletes its work tree, including resolutions, its branch and its tags; also the
 * remains of a killed run. A committed merge is no longer open. Throws `SYNC_NOT_OPEN`, `REFS_NOT_MOVED`.
 */
export async function abortSync({ name, branch, into }: SyncRequest, services: Services): Promise<DiscardResult> {
  const target = await openInOrder(into, services);
  const ref = branchRef(branch ?? syncBranch(name, undefined));
  const open = await readOpenSync(target, ref);
  const { state, worktree } = open ?? {};
  if (open === undefined || (worktree?.merging !== undefined && worktree.merging.package !== name)) throw notOpen(name, ref);
  if (state !== 'begun') throw notOpen(name, ref);
  const came = worktree?.tags ?? [];
  const present = await readRefs(target.git);
  const tags = came.filter(({ ref: tag, value }) => present.get(tag) === value);
  const keptTags = came.filter(({ ref: tag, value }) => (present.get(tag) ?? value) !== value);
  const refs = [...tags, { ref, value: open.tip }];
  await withStagingArea(target, async () => {
    // git refuses to delete a branch that is checked out.
    if (worktree !== undefined) await target.userGit.text(['worktree', 'remove', '--force', '--', worktree.folder]);
    await moveRefs(target.userGit, { kind: 'delete', refs });
  });
  return {
    schemaVersion: 1,
    branch: shortRef(ref),
    packages: [name],
    tags: tags.map((tag) => shortRef(tag.ref)),
    keptTags: keptTags.map((tag) => shortRef(tag.ref)),
  };
}
