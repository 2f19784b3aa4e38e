import { type Git, plumbing } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, type ObjectId, shortRef, tagRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { AbsolutePath } from '@tributary/model/paths';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import { type MovedHistory, moveHistory } from '../history/move.js';
import { proveMove } from '../history/prove.js';
import { compareTags, type NamedTag } from '../history/tag-marks.js';
import { findUnlikeTags } from '../history/unlike-tags.js';
import { handOver } from '../io/hand-over.js';
import { missingTags, readRefs } from '../io/refs.js';
import { readSigner } from '../io/sign-commits.js';
import { type StagingArea, withStagingArea } from '../io/staging-area.js';
import { readIdentity, readTarget, type Target } from '../io/target.js';
import { requireWritable } from '../io/writable.js';
import { planCleanUp } from '../plan/clean-up.js';
import { refuseTagCollisions } from '../plan/names.js';
import { type PlannedPackage, planBranch } from '../plan/plan.js';
import { planTags } from '../plan/plan-tags.js';
import { syncBranch } from '../plan/sync-branch.js';
import type { SyncResult } from '../result/result.js';
import { alignmentAsked, type BuildOrder } from './build-order.js';
import { listChangedFiles } from './changed-files.js';
import { readSettings } from './gather.js';
import { countUnchangedTags } from './nothing-new.js';
import { readOpenSync, unfinished } from './open-sync.js';
import { openInOrder } from './put-in-order.js';
import { objectsOf, recordOf } from './scratch-branch.js';
import { buildSync, packNew, prepareMerge, type SyncWork } from './sync-build.js';
import { type ImportChain, readChain } from './sync-chain.js';
import { leaveConflict } from './sync-conflict.js';
import { describeSync, describeUnchanged, type SortedTags, type Syncing, type SyncOutcome } from './sync-outcome.js';
import type { SyncRequest } from './sync-request.js';
import { type FetchedAgain, fetchAgain, isContinued, rewritten } from './sync-source.js';

/**
 * Imports new commits of a source: rewrites them by the same map, merges them with one commit on a new branch, and
 * aligns and proves them like a migration. Throws a `ToolError`; the repository is then unchanged.
 */
export async function sync(request: SyncRequest, services: Services): Promise<SyncResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const repository = await openInOrder(request.into, services);
  const target = await readTarget(repository);
  if (request.extent === 'all') requireWritable(target);
  const chain = await readChain(repository, request.name);
  const { config } = await readSettings({ tags: 'none' }, target);
  const branch = branchRef(syncBranchFor(request, chain));
  const align = alignmentAsked(request, config);
  const common = { request, target, chain, branch, align, services, progress };
  const done = await withStagingArea(target, async (stagingArea) => {
    const tags = await countUnchangedTags({ stagingArea, target }, chain[0].record, common);
    if (tags !== undefined) return tags;
    const identity = await readIdentity(target.userGit);
    const signerIn = request.extent === 'all' ? await readSigner(target, identity, services.signal) : undefined;
    return syncIn(stagingArea, { ...common, identity, signerIn });
  });
  progress.done();
  const elapsed = between(started, services.clock());
  if (typeof done === 'number') return describeUnchanged(common, done, elapsed);
  return describeSync(common, done, { decided: config.migrate.decided, elapsed });
}

/**
 * Returns the name of a sync's branch: `release/left-pad-1` for the first sync with another branch. Later syncs of such
 * a line keep its name in theirs.
 */
export function syncBranchFor({ name, branch, sourceBranch }: SyncRequest, chain: ImportChain): string {
  const [newest] = chain;
  if (branch !== undefined) return branch;
  const isOther = sourceBranch !== undefined && branchRef(sourceBranch) !== newest.record.sourceRef;
  if (isOther) return syncBranch(name, sourceBranch);
  const ownLine = newest.record.sourceRef === chain.at(-1)?.record.sourceRef ? '' : newest.record.sourceRef.replace(/^refs\/heads\//, '-');
  return `${syncBranch(name, undefined)}${ownLine.replaceAll('/', '-')}`;
}

async function syncIn(stagingArea: StagingArea, syncing: Syncing): Promise<SyncOutcome> {
  const { request, target, chain } = syncing;
  const [{ record }] = chain;
  const fetched = await fetchAgain({ stagingArea, target }, record, syncing);
  const moved = await moveAgain(syncing, fetched);
  const tags = sortTags(chain, moved);
  const isNew = fetched.facts.tip !== record.sourceCommit && moved.tip !== record.importedTip;
  const commits = isNew ? await countNew(viewOf(target, fetched, syncing), record, moved) : 0;
  const refs = await readRefs(target.git);
  const found = {
    fetched,
    moved,
    commits,
    tags: isNew ? tags : { ...tags, fresh: tags.fresh.filter((tag) => !isHere(refs, tag)) },
    proof: undefined,
  };
  if (!isNew && found.tags.fresh.length === 0) return { ...found, state: 'nothing new' };
  if (isNew) await refuseTakenBranch(syncing);
  refuseTagCollisions(tags.clashing(refs), target.facts.refs);
  if (!isNew && request.extent === 'plan only') return { ...found, state: 'planned' };
  const { format } = target.facts;
  const proof = request.extent === 'all' ? await proveMove(fetched.git, moved, { format }) : undefined;
  if (!isNew) {
    await handOverSync(syncing, { ...found, scratches: [] });
    return { ...found, proof, state: 'tags' };
  }
  return mergeIn(stagingArea, syncing, { ...found, proof });
}

async function mergeIn(stagingArea: StagingArea, syncing: Syncing, found: Omit<SyncOutcome, 'state'>): Promise<SyncOutcome> {
  const { request, target, chain } = syncing;
  const { fetched, moved, commits, tags } = found;
  const work: SyncWork = {
    stagingArea,
    target,
    chain,
    moved,
    commits,
    record: recordAgain(chain, moved, tags),
    applying: applyingOf(syncing, fetched, moved),
  };
  syncing.progress.phase('Merging');
  const prepared = await prepareMerge(work);
  const isClean = prepared.merged.stages.length === 0;
  if (!isClean && request.extent === 'plan only') return { ...found, prepared, state: 'planned' };
  if (!isClean) {
    const worktree = await leaveConflict(work, prepared, { branch: syncing.branch, folder: request.worktree, tags: tags.fresh });
    return { ...found, prepared, worktree, state: 'conflicts' };
  }
  const built = await buildSync(work, prepared, request.extent);
  const changed = await listChangedFiles(built.scratchBranch.view, { from: target.facts.head, to: built.tip }, moved.planned.path);
  if (request.extent === 'plan only') return { ...found, prepared, built, changed, state: 'planned' };
  const scratch = stagingArea.newScratch('result');
  await packNew(built.scratchBranch.view, scratch, { wanted: [built.tip], known: [target.facts.head, moved.tip] });
  await handOverSync(syncing, { ...found, scratches: [scratch], tip: built.tip });
  return { ...found, prepared, built, changed, state: 'synced' };
}

/** Throws `SYNC_UNFINISHED` for a branch with an open sync, `TARGET_BRANCH_TAKEN` for any other existing branch. */
async function refuseTakenBranch({ target, branch, request: { name } }: Syncing): Promise<void> {
  const open = await readOpenSync(target, branch);
  if (open?.state === 'begun') throw unfinished(name, open);
  planBranch(target.facts, [name], shortRef(branch));
}

/** Moves the whole history again; imported commits get the same ids. Throws `SOURCE_REWRITTEN`, `PROOF_FAILED`. */
async function moveAgain(syncing: Syncing, fetched: FetchedAgain): Promise<MovedHistory> {
  const { target, chain, identity, signerIn, services, progress } = syncing;
  const [{ record }] = chain;
  const planned = planAgain(record, fetched);
  const isWhole = await isContinued(fetched, record);
  const { format } = target.facts;
  if (isWhole) await refuseTakenTags(syncing, fetched, planned);
  progress.phase('Rewriting and proving', 1);
  const sign = signerIn?.(objectsOf(fetched.scratch), [objectsOf(target.gitDir)]);
  const onCommits = (count: number): void => {
    services.signal.throwIfAborted();
    progress.step(`${record.package}: ${count} commits`, 0);
  };
  const moved = await moveHistory(fetched.git, { planned, format, strategy: record.strategy, identity, sign, onCommits });
  if (!isWhole) throw await rewritten(target.git, record, fetched, moved);
  const again = moved.map?.get(record.sourceCommit) ?? record.importedTip;
  if (again === record.importedTip) return moved;
  throw new ToolError({
    code: 'PROOF_FAILED',
    message: `Rewriting ${record.sourceCommit} again gives ${again} instead of the imported ${record.importedTip}. The monorepo was not changed.`,
    hint: `"migrate-repo verify ${record.package} --refetch" compares the import with the source.`,
    data: { name: record.package, again, recorded: record.importedTip },
  });
}

/** Throws `TAG_COLLISION` for new tags whose names are taken, where that is certain without rewriting the history. */
async function refuseTakenTags({ target, chain }: Syncing, { git }: FetchedAgain, planned: PlannedPackage): Promise<void> {
  const named = planned.tags.map(({ newName, id }) => ({ name: newName, id }));
  const compared = chain.map(({ record }) => compareTags(record.tags?.marks ?? '', named));
  const recorded = new Set(compared.flatMap(({ came, moved }) => [...came, ...moved].map(({ name }) => name)));
  const tags = planned.tags.filter(({ newName }) => !recorded.has(newName));
  const { format } = target.facts;
  const { strategy } = chain[0].record;
  const refs = await readRefs(target.git);
  const unlike = await findUnlikeTags({ source: git, target: target.git }, refs, { planned: { ...planned, tags }, format, strategy });
  refuseTagCollisions(unlike, target.facts.refs);
}

/** Returns the plan of the recorded import, with the new tip. */
function planAgain(record: ImportRecord, { facts }: FetchedAgain): PlannedPackage {
  const pattern = record.tags?.pattern;
  return {
    source: facts,
    path: record.path,
    messages: record.messages,
    tagPattern: pattern,
    ...planTags(facts, pattern),
    knownTags: [],
    cleanUp: planCleanUp(facts.files),
    rootManifestText: undefined,
  };
}

function applyingOf(syncing: Syncing, fetched: FetchedAgain, { planned }: MovedHistory): BuildOrder {
  const { branch, chain } = syncing;
  const plan = { branch, strategy: chain[0].record.strategy, packages: [planned], leftOut: [] };
  return { ...syncing, plan, fetched: new Map([[planned.source.request.name, fetched]]) };
}

function recordAgain([{ record }]: ImportChain, moved: MovedHistory, tags: SortedTags): ImportRecord {
  const again = recordOf(moved, record, tags.fresh);
  // Each later sync must see, and tell, that the source has moved a tag.
  const sourceTags = tags.moved.length === 0 ? again.sourceTags : undefined;
  return { ...again, sourceTags, previousTip: record.importedTip };
}

function sortTags(chain: ImportChain, { planned, tags, leftOutTags }: MovedHistory): SortedTags {
  const compared = chain.map(({ record }) => compareTags(record.tags?.marks ?? '', tags));
  const came = new Set(compared.flatMap((one) => one.came.map(({ name }) => name)));
  const moved = new Set(compared.flatMap((one) => one.moved.map(({ name }) => name)).filter((name) => !came.has(name)));
  const fresh = tags.filter(({ name }) => !came.has(name) && !moved.has(name));
  const kept = planned.tags.filter(({ name }) => !leftOutTags.includes(name));
  const nameOf = (newName: string): string => kept.find((tag) => tag.newName === newName)?.name ?? newName;
  return {
    fresh,
    moved: [...moved].sort(),
    clashing: (refs) => fresh.flatMap(({ name, id }) => (isHere(refs, { name, id }) ? [] : [{ name: nameOf(name), newName: name }])),
  };
}

/** Whether the monorepo has a tag already: a sync that brings only tags leaves no record of them. */
function isHere(refs: ReadonlyMap<string, ObjectId>, { name, id }: NamedTag): boolean {
  return refs.get(tagRef(name)) === id;
}

async function countNew(view: Git, record: ImportRecord, moved: MovedHistory): Promise<number> {
  const [from, to] = record.strategy === 'merge' ? [record.sourceCommit, moved.planned.source.tip] : [record.importedTip, moved.tip];
  return Number(await view.text(['rev-list', '--count', `${from}..${to}`]));
}

function viewOf(target: Target, { scratch }: FetchedAgain, { services }: Syncing): Git {
  return plumbing(target.gitDir, { signal: services.signal, alternates: [objectsOf(scratch)] });
}

async function handOverSync(
  { target, branch, services, request }: Syncing,
  what: Pick<SyncOutcome, 'fetched' | 'tags'> & { readonly scratches: readonly AbsolutePath[]; readonly tip?: CommitId },
): Promise<void> {
  services.signal.throwIfAborted();
  const tags = await missingTags(target.git, what.tags.fresh);
  const refs = [...tags, ...(what.tip === undefined ? [] : [{ ref: branch, value: what.tip }])];
  // A long-lived branch does not wait to be merged.
  const message = `${shortRef(branch).startsWith('sync/') ? 'migrate-repo' : 'migrate-repo sync'}: ${request.name}`;
  await handOver(target, { scratches: [what.fetched.scratch, ...what.scratches], refs, message });
}
