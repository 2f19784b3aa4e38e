import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { isToolError, type ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { manifestOf, traceFolder } from '../io/folder-trace.js';
import { readRef } from '../io/read-ref.js';
import { type ImportSurvey, surveyImports } from '../io/survey.js';
import { openRepository } from '../io/target.js';
import { droppedImport, droppedSync, missingProof } from '../plan/missing-proof.js';
import type { FailedProof, RemovedImport, VerifyAllResult, VerifyResult } from '../result/import-result.js';
import { compareTexts } from '../text.js';
import { isLost, lostOrphan, unreadableRecord, withTogether } from './choose-import.js';
import { findDroppedSync } from './dropped-sync.js';
import { type ProvingGround, proveImport, type RecordComparison, shallow } from './verify.js';

export interface VerifyAllRequest {
  readonly into: AbsolutePath;
  /** The ref that must contain the imports; `undefined`: HEAD. */
  readonly ref: string | undefined;
  /** `again`: fetch each source from its recorded address. */
  readonly source: Extract<RecordComparison['source'], string>;
}

/**
 * Proves every import that a ref contains, lists those whose folder was removed, and finds those that it has lost. A
 * failed proof does not stop the others. A subdirectory's source is fetched only on request. Throws `REVISION_MISSING`,
 * `TARGET_SHALLOW`.
 */
export async function verifyAll(request: VerifyAllRequest, services: Services): Promise<VerifyAllResult> {
  const target = await openRepository(request.into, services.signal);
  const ref = await readRef(target.userGit, request.ref);
  const survey = await surveyImports(target.git, ref);
  if (survey.extent === 'shallow') throw shallow('what was imported');
  const ground = { target, ref, signal: services.signal };
  const failed = [...listLost(survey, ground)];
  const proven: VerifyResult[] = [];
  const held = survey.imports.filter(({ state }) => ['held', 'removed', 'superseded', 'synced'].includes(state.kind));
  const progress = services.ui.progress();
  progress.phase('Proving', held.length);
  for (const one of held) {
    const outcome = await orFailure(() => proveImport(ground, one, { ...request, sourceBranch: undefined, missingSource: 'do without' }));
    if (isToolError(outcome)) failed.push(describeFailure(one.record.package, outcome));
    else proven.push(outcome);
    progress.step(one.record.package);
  }
  progress.done();
  const { removed, dropped } = await listGone(survey, ground);
  const notBrought = await listDroppedSyncs(survey, ground);
  return {
    schemaVersion: 1,
    ref: ref.name,
    refCommit: ref.head,
    proven,
    removed,
    failed: [...failed, ...dropped, ...notBrought].sort(compareNames),
  };
}

/** Returns imports whose history the ref has, but not their folder: `removed` by a commit on purpose, or `dropped` by a merge. */
async function listGone(
  { imports }: ImportSurvey,
  { target, ref }: ProvingGround,
): Promise<{ readonly removed: readonly RemovedImport[]; readonly dropped: readonly FailedProof[] }> {
  const removed: RemovedImport[] = [];
  const dropped: FailedProof[] = [];
  for (const { record, merge, state } of imports) {
    if (state.kind !== 'removed') continue;
    const { package: name, path } = record;
    const folder = await findDropped(target.git, { path, merge, by: state.by });
    if (folder === undefined) removed.push({ name, path, merge, by: state.by });
    else dropped.push(describeFailure(name, droppedImport(record, { by: state.by, folder }, ref)));
  }
  return { removed, dropped };
}

/** Returns syncs whose history the ref has, but whose files a merge dropped. */
async function listDroppedSyncs({ imports }: ImportSurvey, { target, ref, signal }: ProvingGround): Promise<readonly FailedProof[]> {
  const failed: FailedProof[] = [];
  const made = new Set(imports.map(({ merge }) => merge));
  for (const { record, merge, state } of imports) {
    if (record.previousTip === undefined || (state.kind !== 'held' && state.kind !== 'synced')) continue;
    const dropped = await findDroppedSync(target, { path: record.path, merge }, { head: ref.head, made, signal });
    if (dropped !== undefined) failed.push(describeFailure(record.package, droppedSync(record, { ...dropped, merge }, ref)));
  }
  return failed;
}

/** Returns imports that are known to be lost without a proof. */
function listLost(survey: ImportSurvey, { ref }: ProvingGround): readonly FailedProof[] {
  const { imports, orphans, unreadable } = survey;
  // Another branch may have the same import with a readable record. That says nothing about this one.
  const claimed = new Set(unreadable.filter(({ isContained }) => isContained).map(({ claims }) => claims));
  const lost = imports.filter(isLost).filter(({ record }) => !claimed.has(record.package));
  return [
    ...lost.map((one) => describeFailure(one.record.package, missingProof(withTogether(one, survey), ref))),
    ...orphans.map((one) => describeFailure(one.package, lostOrphan(one, ref))),
    ...unreadable.filter(({ isContained }) => isContained).map((one) => describeFailure(one.claims ?? null, unreadableRecord(one))),
  ];
}

async function orFailure<T>(work: () => Promise<T>): Promise<T | ToolError> {
  try {
    return await work();
  } catch (error) {
    if (!isToolError(error) || ['INTERRUPTED', 'DISK_FULL', 'GIT_MISSING'].includes(error.code)) throw error;
    return error;
  }
}

function describeFailure(name: string | null, { code, message, hint }: ToolError): FailedProof {
  return { name, code, message, hint: hint ?? null };
}

function compareNames(a: FailedProof, b: FailedProof): number {
  return compareTexts(a.name ?? '', b.name ?? '');
}

/** An import whose folder was removed, and the commit on the first-parent line that removed it. */
interface GoneFolder {
  readonly path: RepoPath;
  /** The import's merge commit. */
  readonly merge: CommitId;
  readonly by: CommitId;
}

/** What a merge dropped: a folder of its first parent, with its path there, or a folder of the branch that it merged. */
type DroppedFolder = { readonly of: 'line'; readonly path: RepoPath } | { readonly of: 'joined' };

/**
 * Returns what a merge dropped, as a wrongly resolved conflict does: no merged branch had removed the folder. Returns
 * `undefined` for intended removals: a revert, a commit that deletes the folder, and a merge of such a commit. Throws
 * `GIT_FAILED`.
 */
async function findDropped(git: Git, gone: GoneFolder): Promise<DroppedFolder | undefined> {
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
    // The branch moved the folder, and the merge has it at that place.
    if (trace?.state === 'moved' && (await resolveNames(git, [`${by}:${manifestOf(trace.to)}`]))[0] !== undefined) return false;
  }
  return joined.length > 0;
}
