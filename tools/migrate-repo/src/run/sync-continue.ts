import { searchImportRecords } from '@tributary/git/import-records';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, parseRefName, shortRef } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord } from '@tributary/model/import-record';
import { isInside, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import { describeAlignment } from '../describe/describe.js';
import type { FileChanges, HistoryToMerge } from '../history/branch.js';
import { diffTrees, readChanges } from '../history/merge-package.js';
import { handOver } from '../io/hand-over.js';
import { readSigner } from '../io/sign-commits.js';
import { withStagingArea } from '../io/staging-area.js';
import { type LocalRepository, readIdentity, readTarget, type Target } from '../io/target.js';
import { requireWritable } from '../io/writable.js';
import { besideMessage } from '../plan/messages.js';
import { syncBranch } from '../plan/sync-branch.js';
import type { SyncResult } from '../result/result.js';
import { alignmentAsked, type BuildOrder } from './build-order.js';
import { listChangedFiles } from './changed-files.js';
import { readSettings } from './gather.js';
import { findBeside } from './nothing-beside.js';
import { notOpen, type OpenSync, readOpenSync, unfinished } from './open-sync.js';
import { openInOrder } from './put-in-order.js';
import { openScratchBranch } from './scratch-branch.js';
import { alignSync, packNew, type SyncedBranch } from './sync-build.js';
import type { SyncRequest } from './sync-request.js';
import { importedBefore } from './sync-sides.js';

/** A merge that a person has resolved and committed. */
interface ResolvedMerge {
  readonly record: ImportRecord;
  readonly merge: CommitId;
  /** The last commit of the source that was imported before. */
  readonly from: CommitId;
}

/**
 * Continues a sync whose conflicts are resolved and committed. Adds commits with the changes outside the package and
 * the alignment, then removes the work tree. Does not need the source. Throws `SYNC_NOT_OPEN`, `SYNC_UNFINISHED`, and
 * as `alignSync`; the branch is then unchanged.
 */
export async function continueSync(request: SyncRequest, services: Services): Promise<SyncResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const repository = await openInOrder(request.into, services);
  const ref = branchRef(request.branch ?? syncBranch(request.name, undefined));
  const open = await readOpenSync(repository, ref);
  if (open === undefined) throw notOpen(request.name, ref);
  const resolved = await readResolved(repository, open, request.name);
  await requireClean(open, request.name);
  const target = await readTarget(repository, open.tip);
  requireWritable(target);
  const { config } = await readSettings({ tags: 'none' }, target);
  const moved = await movedBefore(target, resolved.record);
  const identity = await readIdentity(target.userGit);
  const signerIn = await readSigner(target, identity, services.signal);
  const plan = { branch: ref, strategy: resolved.record.strategy, packages: [moved.planned], leftOut: [] };
  const align = alignmentAsked(request, config);
  const applying: BuildOrder = { identity, signerIn, plan, align, fetched: new Map(), services, progress };
  const { tip, alignment } = await finish({ target, open, resolved, moved, applying });
  progress.done();
  return {
    ...describeResolved(resolved, moved, { branch: shortRef(ref), base: `${open.tip}` }),
    tip,
    commits: await countNew(target, resolved.record),
    changed: await listChangedFiles(target.git, { from: `${resolved.merge}^1`, to: tip }, resolved.record.path),
    alignment: alignment === undefined ? null : describeAlignment(alignment, 'is', config.migrate.decided),
    milliseconds: between(started, services.clock()),
  };
}

interface Finishing {
  readonly target: Target;
  readonly open: OpenSync;
  readonly resolved: ResolvedMerge;
  readonly moved: HistoryToMerge;
  readonly applying: BuildOrder;
}

async function finish({ target, open, resolved, moved, applying }: Finishing): Promise<Pick<SyncedBranch, 'tip' | 'alignment'>> {
  const name = resolved.record.package;
  return withStagingArea(target, async (stagingArea) => {
    const scratchBranch = openScratchBranch(target, stagingArea, applying);
    const beside = await changesBeside(target, open, resolved);
    if (beside.size > 0) await scratchBranch.builder.change(beside, besideMessage(name));
    await scratchBranch.builder.store();
    const aligned = await alignSync(
      scratchBranch,
      { stagingArea, moved: { ...moved, map: undefined }, applying, beside: [...beside.keys()] },
      'all',
    );
    const scratch = stagingArea.newScratch('result');
    if (aligned.tip !== open.tip) await packNew(scratchBranch.view, scratch, { wanted: [aligned.tip], known: [open.tip] });
    // Nothing is lost, because everything is committed. A branch must not move while a work tree has it checked out.
    if (open.worktree !== undefined) await target.userGit.text(['worktree', 'remove', '--', open.worktree.folder]);
    const update = aligned.tip === open.tip ? undefined : { ref: open.branch, from: open.tip, to: aligned.tip };
    await handOver(target, { scratches: [scratch], refs: [], update, message: `migrate-repo: ${name}` });
    return aligned;
  });
}

/** Returns the newest sync merge on the branch. Throws `SYNC_NOT_OPEN`, `SYNC_UNFINISHED`. */
async function readResolved({ git }: LocalRepository, open: OpenSync, name: string): Promise<ResolvedMerge> {
  if (open.state === 'begun' || open.worktree?.merging !== undefined) throw unfinished(name, open);
  const all = (await searchImportRecords(git, [open.tip])).flatMap(({ record, ...rest }) =>
    isReadableRecord(record) && record.package === name ? [{ record, ...rest }] : [],
  );
  const found = all.find(({ record, joined }) => record.previousTip !== undefined && record.importedTip === joined);
  const previous = all.find(({ record }) => record.importedTip === found?.record.previousTip);
  if (found === undefined || previous === undefined) throw notOpen(name, open.branch);
  const beside = await findBeside(git, found.merge, found.record.path);
  if (beside === undefined) return { record: found.record, merge: found.merge, from: previous.record.sourceCommit };
  throw new ToolError({
    code: 'SYNC_UNFINISHED',
    message: `The merge commit ${found.merge.slice(0, 10)} also changes ${beside}, which is not part of ${name}.`,
    hint: `Remove that with "git commit --amend", and commit it separately: the merge of a sync may change only ${found.record.path}.`,
    data: { merge: found.merge, file: beside },
  });
}

/** Throws `SYNC_UNFINISHED` if the work tree has uncommitted changes, or is not the sync's own. */
async function requireClean({ worktree, branch }: OpenSync, name: string): Promise<void> {
  if (worktree === undefined) return;
  if (worktree.wholeTree === undefined)
    throw new ToolError({
      code: 'SYNC_UNFINISHED',
      message: `${shortRef(branch)} is checked out in ${worktree.folder}.`,
      hint: 'Switch to another branch there first: the branch will move, but that working tree would not follow.',
      data: { worktree: worktree.folder },
    });
  if ((await worktree.git.text(['status', '--porcelain'])) === '') return;
  throw new ToolError({
    code: 'SYNC_UNFINISHED',
    message: `${worktree.folder} has changes that are not committed.`,
    hint: `Commit them there, or remove them; then: migrate-repo sync ${name} --continue`,
    data: { worktree: worktree.folder },
  });
}

/** Returns the sync's changes outside the package, except for files that the person has changed. */
async function changesBeside({ git }: Target, { worktree, tip }: OpenSync, { merge, record }: ResolvedMerge): Promise<FileChanges> {
  if (worktree?.wholeTree === undefined) return new Map();
  const [before] = await resolveNames(git, [`${merge}^1`]);
  if (before === undefined) throw new Error(`${merge} is no merge`);
  const own = new Set((await diffTrees(git, before.id, tip)).map(({ path }) => path));
  const changes = (await diffTrees(git, before.id, worktree.wholeTree)).filter(
    ({ path }) => !own.has(path) && !isInside(path, record.path),
  );
  return readChanges(git, changes);
}

/** Returns the imported history, which the repository already contains. */
function movedBefore(target: Target, record: ImportRecord): Promise<HistoryToMerge> {
  const url = parseRepoUrl(record.source, (place) => parseAbsolutePath(place));
  const ref = record.sourceRef === 'HEAD' ? ('HEAD' as const) : parseRefName(record.sourceRef);
  const request = { name: record.package, url, branch: undefined, subdirectory: record.subdirectory, path: undefined };
  return importedBefore(target, record, {
    source: { request, ref, tags: [] },
    path: record.path,
    messages: record.messages,
    tagPattern: record.tags?.pattern,
    ...{ tags: [], otherTags: [], apart: [], twins: [], knownTags: [] },
    rootManifestText: undefined,
  });
}

async function countNew({ git }: Target, { previousTip, importedTip }: ImportRecord): Promise<number> {
  return Number(await git.text(['rev-list', '--count', `${previousTip}..${importedTip}`]));
}

function describeResolved(
  { record, merge, from }: ResolvedMerge,
  { planned }: HistoryToMerge,
  { branch, base }: Pick<SyncResult, 'base'> & { readonly branch: string },
): Omit<SyncResult, 'tip' | 'commits' | 'alignment' | 'changed' | 'milliseconds'> {
  return {
    schemaVersion: 1,
    state: 'synced',
    name: record.package,
    path: record.path,
    source: record.source,
    sourceRef: planned.source.ref,
    from,
    to: record.sourceCommit,
    previousTip: record.previousTip ?? record.importedTip,
    importedTip: record.importedTip,
    strategy: record.strategy,
    branch,
    base,
    merge,
    tags: [],
    movedTags: [],
    conflicts: [],
    worktree: null,
    proof: null,
    compared: null,
    warnings: [],
  };
}
