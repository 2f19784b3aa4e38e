import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asUser, plumbing } from '@tributary/git/git';
import { FOLDER_MODE } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { type RefName, shortRef } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { MovedHistory } from '../history/move.js';
import { TreeDraft } from '../history/tree-draft.js';
import { handOver } from '../io/hand-over.js';
import { missingTags, moveRefs, type RefValue } from '../io/refs.js';
import type { LocalRepository } from '../io/target.js';
import { syncMessage } from '../plan/messages.js';
import { BEGUN, fileOf, IMPORTED_TIP, TAGS, WHOLE_TREE } from './open-sync.js';
import { objectsOf } from './scratch-branch.js';
import { type PreparedMerge, packNew, type SyncWork } from './sync-build.js';

/**
 * Leaves a conflicting merge as git would, in a separate work tree on the sync's branch. Files have conflict marks, the
 * index has all versions, and the merge commit's message is prepared. Tags are created too. If the work tree cannot be
 * created, refs are restored. Throws `FILE_UNUSABLE`, `REFS_NOT_MOVED`, `GIT_FAILED`.
 */
export async function leaveConflict(
  work: SyncWork,
  prepared: PreparedMerge,
  place: { readonly branch: RefName; readonly folder: AbsolutePath | undefined; readonly tags: MovedHistory['tags'] },
): Promise<AbsolutePath> {
  const { stagingArea, target, moved, applying } = work;
  const folder = place.folder ?? besideRepository(target, place.branch);
  refuseTaken(folder);
  const [source] = [...applying.fetched.values()];
  if (source === undefined) throw new Error('a sync without a source');
  const scratch = stagingArea.newScratch('result');
  const alternates = [target.gitDir, source.scratch, ...prepared.scratches].map(objectsOf);
  const view = plumbing(scratch, { alternates, signal: applying.services.signal });
  const { merged } = prepared;
  const draft = new TreeDraft(view, target.facts.format, target.facts.headTree);
  await draft.edit({ path: moved.planned.path, entry: { mode: FOLDER_MODE, id: merged.folder } });
  await draft.store(view);
  const { head } = target.facts;
  await packNew(view, scratch, { wanted: [draft.root, merged.tree, ...merged.stages.map(({ id }) => id)], known: [head, moved.tip] });
  const tags = await missingTags(target.git, place.tags);
  const refs = [...tags, { ref: place.branch, value: head }];
  await handOver(target, { scratches: [source.scratch, scratch], refs, message: BEGUN });
  try {
    await makeWorktree(target, { ...place, tags, folder, work, prepared, tree: draft.root });
  } catch (error) {
    await target.userGit.attempt(['worktree', 'remove', '--force', folder]);
    await moveRefs(target.userGit, { kind: 'delete', refs });
    throw error;
  }
  return folder;
}

interface WorktreeOrder {
  readonly branch: RefName;
  readonly folder: AbsolutePath;
  readonly work: SyncWork;
  readonly prepared: PreparedMerge;
  readonly tree: string;
  readonly tags: readonly RefValue[];
}

async function makeWorktree({ userGit }: LocalRepository, { branch, folder, work, prepared, tree, tags }: WorktreeOrder): Promise<void> {
  const { record, commits, moved } = work;
  await userGit.text(['worktree', 'add', '--no-checkout', '--quiet', '--', folder, shortRef(branch)]);
  const git = asUser(folder);
  await git.text(['read-tree', tree]);
  await git.text(['checkout-index', '--all', '--quiet']);
  const { stages } = prepared.merged;
  const gone = [...new Set(stages.map(({ path }) => path))].map((path) => `0 ${'0'.repeat(tree.length)}\t${path}\0`);
  const lines = [...gone, ...stages.map(({ mode, id, stage, path }) => `${mode} ${id} ${stage}\t${path}\0`)];
  await git.text(['update-index', '-z', '--index-info'], { input: Buffer.from(lines.join(''), 'latin1') });
  await git.attempt(['update-index', '-q', '--refresh']);
  await git.text(['update-ref', WHOLE_TREE, prepared.merged.tree]);
  await git.text(['update-ref', IMPORTED_TIP, moved.tip]);
  writeFileSync(await fileOf(git, TAGS), tags.map(({ ref, value }) => `${value} ${ref}\n`).join(''));
  writeFileSync(await fileOf(git, 'MERGE_MSG'), syncMessage(record, commits));
  writeFileSync(await fileOf(git, 'MERGE_MODE'), 'no-ff');
  // Written last, because it turns the work tree's state into a merge.
  writeFileSync(await fileOf(git, 'MERGE_HEAD'), `${moved.tip}\n`);
}

function besideRepository({ workTree, gitDir }: LocalRepository, branch: RefName): AbsolutePath {
  const top = workTree ?? gitDir;
  return parseAbsolutePath(join(dirname(top), `${basename(top)}-${shortRef(branch).replaceAll('/', '-')}`));
}

function refuseTaken(folder: AbsolutePath): void {
  if (!existsSync(folder)) return;
  throw new ToolError({
    code: 'FILE_UNUSABLE',
    message: `The merge has conflicts, but the folder ${folder} for resolving them already exists.`,
    hint: 'Name a folder that does not exist: --worktree <folder>',
    data: { folder },
  });
}
