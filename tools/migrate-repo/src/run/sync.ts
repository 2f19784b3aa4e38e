import { type Git, plumbing } from '@tributary/git/git';
import { nameAsText } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, type ObjectId, type RefName, shortRef, tagRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { AbsolutePath } from '@tributary/model/paths';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import { describeAlignment } from '../describe/describe.js';
import { withoutAsked } from '../describe/new-decisions.js';
import { type MovedHistory, moveHistory } from '../history/move.js';
import { type HistoryProof, proveMove } from '../history/prove.js';
import { compareTags } from '../history/tag-marks.js';
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
import { readSettings } from './gather.js';
import { readOpenSync, unfinished } from './open-sync.js';
import { openInOrder } from './put-in-order.js';
import { objectsOf, recordOf } from './scratch-branch.js';
import { buildSync, type PreparedMerge, packNew, prepareMerge, type SyncedBranch, type SyncWork } from './sync-build.js';
import { type ImportChain, readChain } from './sync-chain.js';
import { leaveConflict } from './sync-conflict.js';
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
  const identity = await readIdentity(target.userGit);
  const signerIn = request.extent === 'all' ? await readSigner(target, identity, services.signal) : undefined;
  const branch = branchRef(syncBranchFor(request, chain));
  const align = alignmentAsked(request, config);
  const common = { request, target, chain, branch, identity, signerIn, align, services, progress };
  const outcome = await withStagingArea(target, (stagingArea) => syncIn(stagingArea, common));
  progress.done();
  return describeSync(common, outcome, { decided: config.migrate.decided, elapsed: between(started, services.clock()) });
}

interface Syncing extends Pick<BuildOrder, 'identity' | 'signerIn' | 'align' | 'services' | 'progress'> {
  readonly request: SyncRequest;
  readonly target: Target;
  readonly chain: ImportChain;
  readonly branch: RefName;
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

/** The outcome of a sync. */
interface Outcome {
  readonly state: SyncResult['state'];
  readonly fetched: FetchedAgain;
  readonly moved: MovedHistory;
  readonly commits: number;
  readonly tags: SortedTags;
  readonly proof: HistoryProof | undefined;
  readonly prepared?: PreparedMerge;
  readonly built?: SyncedBranch;
  readonly worktree?: AbsolutePath;
}

async function syncIn(stagingArea: StagingArea, syncing: Syncing): Promise<Outcome> {
  const { request, target, chain } = syncing;
  const [{ record }] = chain;
  const fetched = await fetchAgain({ stagingArea, target }, record, syncing);
  const moved = await moveAgain(syncing, fetched);
  const tags = sortTags(chain, moved);
  const isNew = fetched.facts.tip !== record.sourceCommit && moved.tip !== record.importedTip;
  const commits = isNew ? await countNew(viewOf(target, fetched, syncing), record, moved) : 0;
  const found = { fetched, moved, commits, tags, proof: undefined };
  if (!isNew && tags.fresh.length === 0) return { ...found, state: 'nothing new' };
  if (isNew) await refuseTakenBranch(syncing);
  refuseTagCollisions(tags.clashing(await readRefs(target.git)), target.facts.refs);
  if (!isNew && request.extent === 'plan only') return { ...found, state: 'planned' };
  const { format } = target.facts;
  const proof = request.extent === 'all' ? await proveMove(fetched.git, moved, { format }) : undefined;
  if (!isNew) {
    await handOverSync(syncing, { ...found, scratches: [] });
    return { ...found, proof, state: 'tags' };
  }
  return mergeIn(stagingArea, syncing, { ...found, proof });
}

async function mergeIn(stagingArea: StagingArea, syncing: Syncing, found: Omit<Outcome, 'state'>): Promise<Outcome> {
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
  if (request.extent === 'plan only') return { ...found, prepared, built, state: 'planned' };
  const scratch = stagingArea.newScratch('result');
  await packNew(built.scratchBranch.view, scratch, { wanted: [built.tip], known: [target.facts.head, moved.tip] });
  await handOverSync(syncing, { ...found, scratches: [scratch], tip: built.tip });
  return { ...found, prepared, built, state: 'synced' };
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

function recordAgain([{ record }]: ImportChain, moved: MovedHistory, { fresh }: SortedTags): ImportRecord {
  return { ...recordOf(moved, record, fresh), previousTip: record.importedTip };
}

/** The tags of the source, compared with the records. */
interface SortedTags {
  /** Tags that no record has. */
  readonly fresh: MovedHistory['tags'];
  /** Tags that the source has changed since they were imported. */
  readonly moved: readonly string[];
  /** Fresh tags whose names the monorepo uses for something else. */
  readonly clashing: (refs: ReadonlyMap<string, ObjectId>) => readonly { readonly name: string; readonly newName: string }[];
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
    clashing: (refs) => fresh.flatMap(({ name, id }) => (refs.get(tagRef(name)) === id ? [] : [{ name: nameOf(name), newName: name }])),
  };
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
  what: Pick<Outcome, 'fetched' | 'tags'> & { readonly scratches: readonly AbsolutePath[]; readonly tip?: CommitId },
): Promise<void> {
  services.signal.throwIfAborted();
  const tags = await missingTags(target.git, what.tags.fresh);
  const refs = [...tags, ...(what.tip === undefined ? [] : [{ ref: branch, value: what.tip }])];
  // A long-lived branch does not wait to be merged.
  const message = `${shortRef(branch).startsWith('sync/') ? 'migrate-repo' : 'migrate-repo sync'}: ${request.name}`;
  await handOver(target, { scratches: [what.fetched.scratch, ...what.scratches], refs, message });
}

function describeSync(
  { request, target, chain, branch }: Syncing,
  outcome: Outcome,
  { decided, elapsed }: { readonly decided: Readonly<Record<string, string>>; readonly elapsed: number },
): SyncResult {
  const { state, fetched, moved, commits, tags, proof, prepared, built, worktree } = outcome;
  const [{ record }] = chain;
  const done = state === 'synced' ? built : undefined;
  const conflicts = [...new Set(prepared?.merged.stages.map(({ path }) => nameAsText(path)))];
  const alignment = built?.alignment;
  const asked = prepared?.asked === undefined ? [] : describeAlignment(prepared.asked, 'would be', decided);
  const left = prepared?.merged.left ?? [];
  return {
    schemaVersion: 1,
    state,
    name: request.name,
    path: record.path,
    source: fetched.facts.request.url.toString(),
    sourceRef: fetched.facts.ref,
    from: record.sourceCommit,
    to: fetched.facts.tip,
    previousTip: record.importedTip,
    importedTip: moved.tip,
    strategy: record.strategy,
    commits,
    branch: commits === 0 ? null : shortRef(branch),
    base: target.facts.head,
    tip: done?.tip ?? null,
    merge: done?.merge ?? null,
    tags: tags.fresh.map(({ name }) => name),
    movedTags: tags.moved,
    conflicts,
    worktree: worktree ?? null,
    alignment:
      alignment === undefined ? null : withoutAsked(describeAlignment(alignment, done === undefined ? 'would be' : 'is', decided), asked),
    proof: proof === undefined ? null : { method: proof.method, ...proof.counts, tags: proof.tags, importedTip: moved.tip },
    warnings: [
      ...fetched.warnings,
      ...(prepared?.workflows ?? []).map(
        (file) =>
          `The source changed the workflow ${file}, which GitHub does not run there: change its copy in the workflows of the root, if it has one.`,
      ),
      ...left.map((file) => `${file} was not changed, because both the monorepo and the source have changed it: review it.`),
    ],
    milliseconds: elapsed,
  };
}
