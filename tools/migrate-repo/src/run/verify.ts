import { type Git, plumbing } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId, WorkspaceName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl, type RepoUrl } from '@tributary/model/repo-url';
import type { Services } from '@tributary/terminal/main';
import type { HistoryCounts } from '../history/counts.js';
import { invertHistory } from '../history/invert.js';
import { countHistory } from '../history/move.js';
import { rewriteHistory } from '../history/rewrite.js';
import { listHistory } from '../history/source-history.js';
import type { NamedTag } from '../history/tag-marks.js';
import { FETCHED_BRANCH, fetchedTags, fetchRecorded } from '../io/fetch-recorded.js';
import { type AskedRef, readRef } from '../io/read-ref.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import { resolveCommits } from '../io/resolve-commits.js';
import type { Remote } from '../io/scratch-fetch.js';
import { withStagingArea } from '../io/staging-area.js';
import { type SurveyedImport, surveyImports } from '../io/survey.js';
import { type LocalRepository, openRepository } from '../io/target.js';
import type { VerifyResult } from '../result/import-result.js';
import { chooseImport } from './choose-import.js';
import { describeContained } from './contained.js';
import { findBeside } from './nothing-beside.js';

/** What to compare with a record. */
export interface RecordComparison {
  /** `again`: fetch the source, from the recorded address or its current one, and move it again. The ids must be the same. */
  readonly source: 'from the record' | 'again' | { readonly at: RepoUrl };
  /** The branch of the source to fetch; `undefined`: the recorded one, or the one that replaced it. */
  readonly sourceBranch: string | undefined;
}

export interface VerifyRequest extends RecordComparison {
  readonly name: WorkspaceName;
  readonly into: AbsolutePath;
  /** The ref that must contain the import; `undefined`: HEAD. */
  readonly ref: string | undefined;
}

/**
 * Proves an import on a ref from the data of this clone. Throws `IMPORT_NOT_FOUND`, `PROOF_MISSING`, `PROOF_FAILED`,
 * `REVISION_MISSING`.
 */
export async function verify(request: VerifyRequest, services: Services): Promise<VerifyResult> {
  const target = await openRepository(request.into, services.signal);
  const ref = await readRef(target.userGit, request.ref);
  const survey = await surveyImports(target.git, ref);
  if (survey.extent === 'shallow') throw shallow(request.name);
  const progress = services.ui.progress();
  progress.phase(`Proving ${request.name}`);
  const proven = await proveImport({ target, ref, signal: services.signal }, chooseImport(survey, ref, request.name), {
    ...request,
    missingSource: 'fetch',
  });
  progress.done();
  return proven;
}

/** Where imports are proven. */
export interface ProvingGround {
  readonly target: LocalRepository;
  readonly ref: AskedRef;
  readonly signal: AbortSignal;
}

/**
 * Proves one import that a ref contains. `missingSource`: what to do if the source is needed, as for a subdirectory,
 * but nobody asked to fetch it. Throws `PROOF_FAILED`, and as `fetchRecorded`.
 */
export async function proveImport(
  { target, ref, signal }: ProvingGround,
  found: SurveyedImport,
  comparison: RecordComparison & { readonly missingSource: 'fetch' | 'do without' },
): Promise<VerifyResult> {
  const { record } = found;
  await proveJoined(target.git, found);
  const { came, moved } = await readRecordedTags(target.git, found);
  if (moved.length > 0) throw broken(record, `the tags ${moved.map(({ name }) => name).join(', ')} differ from the imported ones`);
  await proveConnected(target.git, record, came);
  const { source, sourceBranch } = comparison;
  const isNeeded = record.strategy === 'rewrite' && record.subdirectory !== undefined && comparison.missingSource === 'fetch';
  const url = typeof source === 'object' ? source.at : parseRepoUrl(record.source, parseAbsolutePath);
  const again = { url, branch: sourceBranch, signal };
  const imported = {
    record,
    tagged: await resolveCommits(
      target.git,
      came.map(({ id }) => id),
    ),
  };
  const proof =
    isNeeded || source !== 'from the record' ? await proveAtSource(target, imported, again) : await proveFromRecord(target, imported);
  return {
    schemaVersion: 1,
    name: record.package,
    path: record.path,
    source: record.source,
    sourceCommit: record.sourceCommit,
    ...describeContained(found, ref),
    method: proof.method,
    fetched: proof.fetched ?? null,
    ...proof.counts,
    tags: { recorded: record.tags?.count ?? 0, here: came.length, state: tagState(record, came) },
  };
}

/** Proves that the merge commit joins the imported tip as its second parent, and changes nothing outside the folder. */
async function proveJoined(git: Git, { record, merge }: Pick<SurveyedImport, 'record' | 'merge'>): Promise<void> {
  const [parent] = await resolveNames(git, [`${merge}^2`]);
  if (parent?.id !== record.importedTip)
    throw broken(record, `the merge commit ${merge} does not have ${record.importedTip} as its second parent`);
  await (record.previousTip === undefined ? proveFiles(git, record, merge) : proveRelated(git, record, record.previousTip));
  const beside = await findBeside(git, merge, record.path);
  if (beside !== undefined) throw broken(record, `the merge commit ${merge} also changes ${beside}, which is not part of the import`);
}

/** Proves that the files under the path are the imported ones. */
async function proveFiles(git: Git, record: ImportRecord, merge: CommitId): Promise<void> {
  const [inMerge, inTip] = await resolveNames(git, [`${merge}:${record.path}`, `${record.importedTip}:${record.path}`]);
  if (inMerge === undefined || inMerge.id !== inTip?.id)
    throw broken(record, `the merge commit ${merge} does not have the last imported files under ${record.path}`);
}

/**
 * Proves that a sync joins a history related to the one before. Its files are a merge with the monorepo's changes,
 * which only a review can judge.
 */
async function proveRelated(git: Git, record: ImportRecord, previousTip: ObjectId): Promise<void> {
  const [previous] = await resolveNames(git, [previousTip]);
  if (previous === undefined) throw broken(record, `${previousTip}, which it continues, is missing`);
  // Of another branch of the source, the histories have only their beginning in common. So have the commits by which --strategy merge moves the files.
  const related = await git.attempt(['merge-base', previousTip, record.importedTip]);
  if (related.exit !== 0) throw broken(record, `${record.importedTip} has nothing in common with ${previousTip}, which it continues`);
}

/** Proves that every object that the imported commits reach is here. */
async function proveConnected(git: Git, record: ImportRecord, came: readonly NamedTag[]): Promise<void> {
  const input = [record.importedTip, ...came.map(({ id }) => id)].map((id) => `${id}\n`).join('');
  const answer = await git.attempt(['rev-list', '--objects', '--quiet', '--stdin'], { input });
  if (answer.exit !== 0) throw broken(record, `objects of its history are missing (${answer.stderr.trim()})`);
}

interface Outcome {
  readonly method: VerifyResult['method'];
  readonly counts: HistoryCounts;
  /** What was fetched of the source for the proof. */
  readonly fetched?: NonNullable<VerifyResult['fetched']>;
}

/** What every kind of proof covers: the history of the tip, and commits that only tags of this clone reach. */
interface Imported {
  readonly record: ImportRecord;
  /** The commits of the imported tags. */
  readonly tagged: readonly ObjectId[];
}

async function proveFromRecord(target: LocalRepository, imported: Imported): Promise<Outcome> {
  const { record } = imported;
  if (record.strategy === 'merge') return proveAncestor(target.git, imported);
  return record.subdirectory === undefined ? proveInverse(target, imported) : provePinned(target.git, imported);
}

/**
 * Proves a subdirectory without its source. Its history cannot be reversed, but the id of the last commit shows that
 * the commits are those of the import.
 */
async function provePinned(git: Git, imported: Imported): Promise<Outcome> {
  return { method: 'recorded', counts: await countHistory(git, await listImported(git, imported)) };
}

async function proveAtSource(target: LocalRepository, imported: Imported, again: Again): Promise<Outcome> {
  if (imported.record.strategy === 'rewrite') return proveByMovingAgain(target, imported, again);
  const { counts } = await proveAncestor(target.git, imported);
  const fetched = await withSource(target, imported.record, again, async (git, found) => {
    const theirs = new Set(await listHistory(git, [imported.record.sourceCommit, ...(await fetchedTags(git))]));
    refuseForeign(imported, theirs);
    return found;
  });
  return { method: 'found again', counts, fetched };
}

async function proveInverse(target: LocalRepository, imported: Imported): Promise<Outcome> {
  const { record } = imported;
  const ids = await listImported(target.git, imported);
  const inverse = await invertHistory(target.git, { format: target.format, path: record.path, messages: record.messages }, { ids });
  if ('flaw' in inverse) throw broken(record, inverse.flaw);
  const original = inverse.originals.get(record.importedTip);
  if (original !== record.sourceCommit) throw broken(record, `reversing the rewrite gives ${original} instead of ${record.sourceCommit}`);
  return { method: 'inverse', counts: inverse.counts };
}

async function proveAncestor(git: Git, imported: Imported): Promise<Outcome> {
  const { record } = imported;
  const [parent, under, whole] = await resolveNames(git, [
    `${record.importedTip}^1`,
    `${record.importedTip}:${record.path}`,
    `${record.sourceCommit}^{tree}`,
  ]);
  if (parent?.id !== record.sourceCommit) throw broken(record, `${record.sourceCommit} is not the parent of the imported tip`);
  if (under === undefined || under.id !== whole?.id) throw broken(record, `the files under ${record.path} are not those of the source`);
  return { method: 'ancestor', counts: await countHistory(git, await listImported(git, imported)) };
}

/** Lists the imported commits, without the one that strategy merge adds. */
function listImported(git: Git, { record, tagged }: Imported): Promise<ObjectId[]> {
  return listHistory(git, [record.strategy === 'merge' ? record.sourceCommit : record.importedTip, ...tagged]);
}

/** Fetches the source and moves the recorded commit again. The move is a pure function, so the ids must be the same. */
async function proveByMovingAgain(target: LocalRepository, imported: Imported, again: Again): Promise<Outcome> {
  const { record, tagged } = imported;
  const fetched = await withSource(target, record, again, async (git, found) => {
    const move = { format: target.format, path: record.path, subdirectory: record.subdirectory, messages: record.messages };
    const { map } = await rewriteHistory(git, move, { commits: await listHistory(git, [record.sourceCommit]), tags: [] });
    const tip = map.get(record.sourceCommit);
    if (tip !== record.importedTip)
      throw broken(record, `rewriting ${record.sourceCommit} again gives ${tip} instead of ${record.importedTip}`);
    const moved = new Set(map.values());
    if (tagged.every((id) => moved.has(id))) return found;
    const commits = await listHistory(git, [record.sourceCommit, ...(await fetchedTags(git))]);
    refuseForeign(imported, new Set((await rewriteHistory(git, move, { commits, tags: [] })).map.values()));
    return found;
  });
  return { method: 'moved again', counts: await countHistory(target.git, await listImported(target.git, imported)), fetched };
}

/** Throws if a tagged commit is not in the source. `theirs`: the source's commits, by their ids here. */
function refuseForeign({ record, tagged }: Imported, theirs: ReadonlySet<ObjectId>): void {
  const foreign = tagged.find((id) => !theirs.has(id));
  if (foreign !== undefined) throw broken(record, `the source no longer has the tag for ${foreign}, which only a tag reached`);
}

/** Fetches the source, whose branch must contain the recorded commit. */
async function withSource<T>(
  target: LocalRepository,
  record: ImportRecord,
  { url, branch, signal }: Again,
  work: (git: Git, fetched: NonNullable<VerifyResult['fetched']>) => Promise<T>,
): Promise<T> {
  return withStagingArea(target, async (stagingArea) => {
    const remote: Remote = { url, scratch: stagingArea.newScratch('source'), signal };
    const { ref, state } = await fetchRecorded(remote, record, branch);
    const git = plumbing(remote.scratch, { signal });
    // A tag may still reach what the branch has lost.
    const isThere = await git.attempt(['merge-base', '--is-ancestor', record.sourceCommit, FETCHED_BRANCH]);
    if (isThere.exit !== 0) throw broken(record, `the source no longer has ${record.sourceCommit} on ${ref}`, OTHER_BRANCH);
    return work(git, { source: url.toString(), ref, state });
  });
}

const OTHER_BRANCH =
  'If another branch of the source has it, name that with --source-branch. Otherwise the history of the source was rewritten.';

interface Again {
  readonly url: RepoUrl;
  readonly branch: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns the state of the tags. The tool never pushes tags, so a clone may lack some, but those it has must be the imported ones. */
function tagState(record: ImportRecord, came: readonly NamedTag[]): VerifyResult['tags']['state'] {
  if (record.tags === undefined || record.tags.count === 0) return 'none recorded';
  if (came.length === record.tags.count) return 'proven';
  return came.length === 0 ? 'not in this clone' : 'incomplete';
}

const COMPARE = 'To see whether the history was changed after the import, compare with the source: "migrate-repo verify --refetch".';

/** Returns the error for an import that contradicts its record. */
function broken(record: ImportRecord, why: string, hint: string = COMPARE): ToolError {
  return new ToolError({
    code: 'PROOF_FAILED',
    message: `The import of ${record.package} is not intact: ${why}.`,
    hint,
    data: { name: record.package, why },
  });
}

/** Returns `TARGET_SHALLOW`: in a shallow clone, missing history cannot be told from lost history. */
export function shallow(what: string): ToolError {
  return new ToolError({
    code: 'TARGET_SHALLOW',
    message: `This clone is shallow, so the history of ${what} is incomplete and cannot be verified.`,
    hint: 'Complete it with "git fetch --unshallow" and run the command again; in CI, check out the whole history ("fetch-depth: 0").',
  });
}
