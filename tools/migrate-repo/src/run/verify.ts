import { type Git, plumbing } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
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
import { fetchRecorded } from '../io/fetch-recorded.js';
import { type AskedRef, readRef } from '../io/read-ref.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import type { Remote } from '../io/scratch-fetch.js';
import { withStagingArea } from '../io/staging-area.js';
import { type SurveyedImport, surveyImports } from '../io/survey.js';
import { type LocalRepository, openRepository } from '../io/target.js';
import type { VerifyResult } from '../result.js';
import { chooseImport } from './choose-import.js';
import { describeContained } from './contained.js';
import { findBeside } from './nothing-beside.js';

/** What is held against a record. */
export interface Comparison {
  /** `again`: fetch the source and move it once more, from the recorded address or from where it is now; the ids must come out the same. */
  readonly source: 'from the record' | 'again' | { readonly at: RepoUrl };
  /** The branch of the source to be fetched; `undefined`: the recorded one, or the one that has taken its place. */
  readonly sourceBranch: string | undefined;
}

export interface VerifyRequest extends Comparison {
  readonly name: WorkspaceName;
  readonly into: AbsolutePath;
  /** What is to hold the import; `undefined`: HEAD. */
  readonly ref: string | undefined;
}

/** Proves an import on a ref, from what this clone holds, at any time. Throws `IMPORT_NOT_FOUND`, `PROOF_MISSING`, `PROOF_FAILED`, `REVISION_MISSING`. */
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
 * Proves one import that a ref contains. `missingSource`: what is done where the source is needed, which is for a subdirectory, and nobody asked for it to be fetched. Throws
 * `PROOF_FAILED`, and as `fetchRecorded`.
 */
export async function proveImport(
  { target, ref, signal }: ProvingGround,
  found: SurveyedImport,
  comparison: Comparison & { readonly missingSource: 'fetch' | 'do without' },
): Promise<VerifyResult> {
  const { record } = found;
  await proveMerge(target.git, found);
  const { came, moved } = await readRecordedTags(target.git, found);
  if (moved.length > 0) throw broken(record, `the tags ${moved.map(({ name }) => name).join(', ')} hold something else than what came`);
  await proveConnected(target.git, record, came);
  const { source, sourceBranch } = comparison;
  const isNeeded = record.strategy === 'rewrite' && record.subdirectory !== undefined && comparison.missingSource === 'fetch';
  const url = typeof source === 'object' ? source.at : parseRepoUrl(record.source, parseAbsolutePath);
  const again = { url, branch: sourceBranch, signal };
  const proof =
    isNeeded || source !== 'from the record' ? await proveAtSource(target, record, again) : await proveFromRecord(target, record, came);
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

/** The merge commit joins what the record says, and nothing else: the imported tip is a parent, its files stand under the path, and all others are those of the first parent. */
async function proveMerge(git: Git, { record, merge }: Pick<SurveyedImport, 'record' | 'merge'>): Promise<void> {
  const names = [`${merge}^2`, `${merge}:${record.path}`, `${record.importedTip}:${record.path}`];
  const [parent, inMerge, inTip] = await resolveNames(git, names);
  if (parent?.id !== record.importedTip)
    throw broken(record, `the merge commit ${merge} does not have ${record.importedTip} as its second parent`);
  if (inMerge === undefined || inMerge.id !== inTip?.id)
    throw broken(record, `the merge commit ${merge} does not hold under ${record.path} what the imported history ends with`);
  const beside = await findBeside(git, merge, record.path);
  if (beside !== undefined) throw broken(record, `the merge commit ${merge} also changes ${beside}, which is not of the import`);
}

/** Everything that the imported commits reach is here. */
async function proveConnected(git: Git, record: ImportRecord, came: readonly NamedTag[]): Promise<void> {
  const input = [record.importedTip, ...came.map(({ id }) => id)].map((id) => `${id}\n`).join('');
  const answer = await git.attempt(['rev-list', '--objects', '--quiet', '--stdin'], { input });
  if (answer.exit !== 0) throw broken(record, `objects of its history are missing (${answer.stderr.trim()})`);
}

interface Outcome {
  readonly method: VerifyResult['method'];
  readonly counts: HistoryCounts;
  /** What was fetched of the source for it. */
  readonly fetched?: NonNullable<VerifyResult['fetched']>;
}

async function proveFromRecord(target: LocalRepository, record: ImportRecord, tags: readonly NamedTag[]): Promise<Outcome> {
  if (record.strategy === 'merge') return proveAncestor(target.git, record);
  return record.subdirectory === undefined ? proveInverse(target, record, tags) : provePinned(target.git, record);
}

/** The history of a subdirectory cannot be undone without its source. That its commits are those of the import, the id of the last one says. */
async function provePinned(git: Git, record: ImportRecord): Promise<Outcome> {
  return { method: 'recorded', counts: await countHistory(git, await listHistory(git, [record.importedTip])) };
}

async function proveAtSource(target: LocalRepository, record: ImportRecord, again: Again): Promise<Outcome> {
  if (record.strategy === 'rewrite') return proveByMovingAgain(target, record, again);
  const { counts } = await proveAncestor(target.git, record);
  const fetched = await withSource(target, record, again, async (_, found) => found);
  return { method: 'found again', counts, fetched };
}

async function proveInverse(target: LocalRepository, record: ImportRecord, tags: readonly NamedTag[]): Promise<Outcome> {
  const tagged = await resolveNames(
    target.git,
    tags.map(({ id }) => `${id}^{commit}`),
  );
  const ids = await listHistory(target.git, [record.importedTip, ...tagged.flatMap((object) => (object === undefined ? [] : [object.id]))]);
  const inverse = await invertHistory(target.git, { format: target.format, path: record.path, messages: record.messages }, { ids });
  if ('flaw' in inverse) throw broken(record, inverse.flaw);
  const original = inverse.originals.get(record.importedTip);
  if (original !== record.sourceCommit) throw broken(record, `undoing the move gives ${original} and not ${record.sourceCommit}`);
  return { method: 'inverse', counts: inverse.counts };
}

async function proveAncestor(git: Git, record: ImportRecord): Promise<Outcome> {
  const [parent, under, whole] = await resolveNames(git, [
    `${record.importedTip}^1`,
    `${record.importedTip}:${record.path}`,
    `${record.sourceCommit}^{tree}`,
  ]);
  if (parent?.id !== record.sourceCommit) throw broken(record, `${record.sourceCommit} is not the parent of the imported tip`);
  if (under === undefined || under.id !== whole?.id) throw broken(record, `what stands under ${record.path} is not what the source holds`);
  const ids = await listHistory(git, [record.sourceCommit]);
  return { method: 'ancestor', counts: await countHistory(git, ids) };
}

/** Fetches the source and moves the recorded commit once more. The move is a pure function, so the same ids must come out. */
async function proveByMovingAgain(target: LocalRepository, record: ImportRecord, again: Again): Promise<Outcome> {
  return withSource(target, record, again, async (git, fetched) => {
    const commits = await listHistory(git, [record.sourceCommit]);
    const move = { format: target.format, path: record.path, subdirectory: record.subdirectory, messages: record.messages };
    const { map, counts } = await rewriteHistory(git, move, { commits, tags: [] });
    const tip = map.get(record.sourceCommit);
    if (tip !== record.importedTip) throw broken(record, `moving ${record.sourceCommit} again gives ${tip} and not ${record.importedTip}`);
    return { method: 'moved again', counts, fetched };
  });
}

/** Fetches the source, which must have the recorded commit. */
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
    const [recorded] = await resolveNames(git, [`${record.sourceCommit}^{commit}`]);
    if (recorded === undefined) throw broken(record, `the source no longer has ${record.sourceCommit} on ${ref}`);
    return work(git, { source: url.toString(), ref, state });
  });
}

interface Again {
  readonly url: RepoUrl;
  readonly branch: string | undefined;
  readonly signal: AbortSignal;
}

/** Tags are never pushed by us, so a clone may lack some of them; those it has must be the ones that came. */
function tagState(record: ImportRecord, came: readonly NamedTag[]): VerifyResult['tags']['state'] {
  if (record.tags === undefined || record.tags.count === 0) return 'none recorded';
  if (came.length === record.tags.count) return 'proven';
  return came.length === 0 ? 'not in this clone' : 'incomplete';
}

function broken(record: ImportRecord, why: string): ToolError {
  return new ToolError({
    code: 'PROOF_FAILED',
    message: `The import of ${record.package} does not hold: ${why}.`,
    hint: 'Compare with the source: "migrate-repo verify --refetch" shows whether the history was changed after the import.',
    data: { name: record.package, why },
  });
}

/** Throws `TARGET_SHALLOW`: what a clone lacks cannot be told from what was lost. */
export function shallow(what: string): ToolError {
  return new ToolError({
    code: 'TARGET_SHALLOW',
    message: `This clone is shallow, so the history of ${what} is not all here to be proven.`,
    hint: 'Complete it with "git fetch --unshallow" and ask again; in CI, check out with the whole history ("fetch-depth: 0").',
  });
}
