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
import { chooseImport, type FoundImport, findImports } from '../io/imports.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import { fetchRefs, type Remote } from '../io/scratch-fetch.js';
import { withStagingArea } from '../io/staging-area.js';
import { type LocalRepository, openRepository, readStand } from '../io/target.js';
import type { VerifyResult } from '../result.js';

export interface VerifyRequest {
  readonly name: WorkspaceName;
  readonly into: AbsolutePath;
  /** `again`: fetch the source and move it once more, from the recorded address or from where it is now; the ids must come out the same. */
  readonly source: 'from the record' | 'again' | { readonly at: RepoUrl };
}

/** Proves an import from what this clone holds, at any time. Throws `IMPORT_NOT_FOUND`, `PROOF_FAILED`. */
export async function verify(request: VerifyRequest, services: Services): Promise<VerifyResult> {
  const target = await openRepository(request.into, services.signal);
  const imports = await findImports(target.git, await readStand(target.userGit));
  const found = chooseImport(imports, request.name);
  const { record } = found;
  if (imports.extent === 'shallow') throw shallow(request.name);
  await proveMerge(target.git, found);
  const { came, moved } = await readRecordedTags(target.git, found);
  if (moved.length > 0) throw broken(record, `the tags ${moved.map(({ name }) => name).join(', ')} hold something else than what came`);
  const progress = services.ui.progress();
  progress.phase(`Proving ${request.name}`);
  await proveConnected(target.git, record, came);
  const again = record.strategy === 'rewrite' && (request.source !== 'from the record' || record.subdirectory !== undefined);
  const url = typeof request.source === 'object' ? request.source.at : parseRepoUrl(record.source, parseAbsolutePath);
  const proof = again
    ? await proveByMovingAgain(target, record, { url, signal: services.signal })
    : await proveFromRecord(target, record, came);
  progress.done();
  return {
    schemaVersion: 1,
    name: record.package,
    path: record.path,
    source: record.source,
    sourceCommit: record.sourceCommit,
    merge: found.merge,
    method: proof.method,
    ...proof.counts,
    tags: { recorded: record.tags?.count ?? 0, here: came.length, state: tagState(record, came) },
  };
}

interface Outcome {
  readonly method: VerifyResult['method'];
  readonly counts: HistoryCounts;
}

/** The merge commit joins what the record says: the imported tip is a parent, and its files stand under the path. */
async function proveMerge(git: Git, { record, merge }: FoundImport): Promise<void> {
  const names = [`${merge}^2`, `${merge}:${record.path}`, `${record.importedTip}:${record.path}`];
  const [parent, inMerge, inTip] = await resolveNames(git, names);
  if (parent?.id !== record.importedTip)
    throw broken(record, `the merge commit ${merge} does not have ${record.importedTip} as its second parent`);
  if (inMerge === undefined || inMerge.id !== inTip?.id)
    throw broken(record, `the merge commit ${merge} does not hold under ${record.path} what the imported history ends with`);
}

/** Everything that the imported commits reach is here. */
async function proveConnected(git: Git, record: ImportRecord, came: readonly NamedTag[]): Promise<void> {
  const input = [record.importedTip, ...came.map(({ id }) => id)].map((id) => `${id}\n`).join('');
  const answer = await git.attempt(['rev-list', '--objects', '--quiet', '--stdin'], { input });
  if (answer.exit !== 0) throw broken(record, `objects of its history are missing (${answer.stderr.trim()})`);
}

async function proveFromRecord(target: LocalRepository, record: ImportRecord, tags: readonly NamedTag[]): Promise<Outcome> {
  return record.strategy === 'merge' ? proveAncestor(target.git, record) : proveInverse(target, record, tags);
}

async function proveInverse(target: LocalRepository, record: ImportRecord, tags: readonly NamedTag[]): Promise<Outcome> {
  const tagged = await resolveNames(
    target.git,
    tags.map(({ id }) => `${id}^{commit}`),
  );
  const ids = await listHistory(target.git, [record.importedTip, ...tagged.flatMap((object) => (object === undefined ? [] : [object.id]))]);
  const inverse = await invertHistory(target.git, { format: target.format, path: record.path }, { ids });
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
  return withStagingArea(target, async (stagingArea) => {
    const remote: Remote = { url: again.url, scratch: stagingArea.newScratch('source'), signal: again.signal };
    await fetchRefs(remote, [`+${record.sourceRef}:refs/source/branch`]);
    const git = plumbing(remote.scratch, { signal: again.signal });
    const [recorded] = await resolveNames(git, [`${record.sourceCommit}^{commit}`]);
    if (recorded === undefined) throw broken(record, `the source no longer has ${record.sourceCommit} on ${record.sourceRef}`);
    const commits = await listHistory(git, [record.sourceCommit]);
    const move = { format: target.format, path: record.path, subdirectory: record.subdirectory };
    const { map, counts } = await rewriteHistory(git, move, { commits, tags: [] });
    const tip = map.get(record.sourceCommit);
    if (tip !== record.importedTip) throw broken(record, `moving ${record.sourceCommit} again gives ${tip} and not ${record.importedTip}`);
    return { method: 'moved again', counts };
  });
}

interface Again {
  readonly url: RepoUrl;
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
    hint: 'Compare with the source; "migrate-repo verify --refetch" shows whether the history was changed after the import.',
    data: { name: record.package, why },
  });
}

function shallow(name: string): ToolError {
  return new ToolError({
    code: 'TARGET_SHALLOW',
    message: `This clone is shallow, so the history of ${name} is not all here to be proven.`,
    hint: 'Complete it with "git fetch --unshallow" and ask again.',
  });
}
