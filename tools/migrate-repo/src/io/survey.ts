import type { Git } from '@tributary/git/git';
import { type ImportTrace, searchImportTraces } from '@tributary/git/import-traces';
import { resolveNames } from '@tributary/git/objects';
import { parseListedFiles } from '@tributary/git/parse';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { decideStates, type FolderSightings, type ImportState, type LostState, type Sighting } from '../plan/import-states.js';
import { compareTexts } from '../text.js';
import { type FolderQuestion, type FolderTrace, manifestOf, traceFolder } from './folder-trace.js';
import { type FoundImport, findImports, findMerges, type UnreadableImport } from './imports.js';
import type { HeadState } from './target.js';
import { traceImport } from './trace-import.js';

/** An import, and its state on a ref. */
export interface SurveyedImport extends Sighting {
  readonly state: ImportState;
  /**
   * The merge on the ref's first-parent line that brought it; `undefined` if the import is on that line itself, or the
   * ref does not contain it.
   */
  readonly mergedBy: CommitId | undefined;
}

/** Commits that followed an import, without any trace of the import itself. */
export interface Orphan {
  readonly package: string;
  /** The oldest of them. */
  readonly commit: CommitId;
}

/** The imports that a ref has, and those that it has lost. */
export interface ImportSurvey {
  /** Ordered by package. For each package, imports that the ref contains come first. */
  readonly imports: readonly SurveyedImport[];
  readonly orphans: readonly Orphan[];
  readonly unreadable: readonly UnreadableImport[];
  /** `shallow`: the clone lacks early history, so lost imports are not searched. */
  readonly extent: 'whole' | 'shallow';
}

/** Finds the imports of a ref, traces of imports that it has lost, and imports of other branches. Throws `GIT_FAILED`. */
export async function surveyImports(git: Git, headState: HeadState): Promise<ImportSurvey> {
  const found = await findImports(git, headState);
  const merges = await findMerges(git, found.imports, headState);
  const { unreadable, extent } = found;
  const withMerge = <T extends Sighting>(one: T): T & Pick<SurveyedImport, 'mergedBy'> => ({ ...one, mergedBy: merges.get(one.merge) });
  if (extent === 'shallow')
    return { imports: found.imports.map((one) => withMerge({ ...one, state: plainState(one) })), orphans: [], unreadable, extent };
  const contained = found.imports.filter((one) => one.isContained);
  const traces = await searchImportTraces(git, [headState.head, ...contained.map(({ joined }) => `^${joined}`)]);
  const seen = { git, headState, imports: found.imports, merges, quoted: quotedIn(traces) };
  const paths = new Set([...found.imports, ...seen.quoted].map(({ record }) => record.path));
  const imports: SurveyedImport[] = [];
  for (const path of [...paths].sort()) imports.push(...decideStates(await lookAt(seen, path)).map(withMerge));
  const known = new Set([...imports.filter(isSeen).map(({ record }) => record.package), ...unreadable.map(({ claims }) => claims)]);
  const orphans = await findOrphans(git, headState.head, { traces, known });
  return { imports: imports.sort(comparePackages), orphans, unreadable, extent };
}

/** Whether an import explains what is on the ref. A waiting one does not. */
function isSeen({ state }: SurveyedImport): boolean {
  return state.kind !== 'waiting';
}

function plainState({ isContained }: FoundImport): ImportState {
  return isContained ? { kind: 'held', by: undefined, to: undefined } : { kind: 'waiting' };
}

function comparePackages(a: SurveyedImport, b: SurveyedImport): number {
  return compareTexts(a.record.package, b.record.package);
}

/** Returns the quoted imports. Several commits may quote the same import; the first one is the one that squashed it. */
function quotedIn(traces: readonly ImportTrace[]): readonly Sighting[] {
  const sightings = traces.flatMap(({ commit, quoted }) => quoted.map((record) => ({ record, merge: commit, branch: undefined })));
  return [...new Map(sightings.map((one) => [one.record.importedTip, one])).values()];
}

interface Seen {
  readonly git: Git;
  readonly headState: HeadState;
  readonly imports: readonly FoundImport[];
  readonly merges: ReadonlyMap<CommitId, CommitId>;
  readonly quoted: readonly Sighting[];
}

/** Returns what is known of the imports into one folder. */
async function lookAt(seen: Seen, path: RepoPath): Promise<FolderSightings> {
  const imports = seen.imports.filter(({ record }) => record.path === path);
  const contained = imports.filter((one) => one.isContained).map((one) => ({ ...one, landing: seen.merges.get(one.merge) ?? one.merge }));
  const quoted = await notContained(
    seen,
    seen.quoted.filter(({ record }) => record.path === path),
  );
  const others = imports.filter((one) => !one.isContained);
  const landings = new Set(contained.map(({ landing }) => landing));
  const since = contained.at(-1)?.landing;
  const isSure = contained.length + quoted.length > 0;
  const trace = await followed(seen, path, { landings, since, isSure, merge: contained[0]?.merge });
  const origin = trace.state === 'here' ? trace.origin : undefined;
  const elsewhere: FolderSightings['elsewhere'][number][] = [];
  for (const one of others) elsewhere.push({ ...one, lost: await howLost(seen.git, one, origin) });
  return { contained, quoted, elsewhere, folder: presentFolder(trace), removedBy: trace.state === 'gone' ? trace.by : undefined };
}

/** Returns imports that the ref lacks. Excludes syncs whose history came to the ref with a later sync. */
async function notContained({ git, headState }: Seen, quoted: readonly Sighting[]): Promise<readonly Sighting[]> {
  const lost: Sighting[] = [];
  for (const one of quoted) {
    const { previousTip, importedTip } = one.record;
    const isHere =
      previousTip !== undefined && (await git.attempt(['merge-base', '--is-ancestor', importedTip, headState.head])).exit === 0;
    if (!isHere) lost.push(one);
  }
  return lost;
}

/** Follows a folder. If only other branches have its import, it is followed only if it exists. */
async function followed(
  { git, headState }: Seen,
  path: RepoPath,
  { isSure, merge, ...question }: Omit<FolderQuestion, 'path'> & { readonly isSure: boolean; readonly merge: CommitId | undefined },
): Promise<FolderTrace> {
  const [manifest] = isSure ? [] : await resolveNames(git, [`${headState.head}:${manifestOf(path)}`]);
  if (!isSure && manifest === undefined) return { state: 'never' };
  if (merge === undefined) return traceFolder(git, headState.head, { path, ...question });
  return traceImport(git, headState.head, { path, merge, ...question });
}

function presentFolder(trace: FolderTrace): FolderSightings['folder'] {
  if (trace.state === 'here') return { origin: trace.origin, movedBy: undefined, movedTo: undefined };
  return trace.state === 'moved' ? { origin: trace.origin, movedBy: trace.by, movedTo: trace.to } : undefined;
}

/**
 * Returns packages with commits on the ref that followed an import, but without any other trace of it. Packages that no
 * longer exist do not count.
 */
async function findOrphans(
  git: Git,
  head: CommitId,
  { traces, known }: { readonly traces: readonly ImportTrace[]; readonly known: ReadonlySet<string | undefined> },
): Promise<readonly Orphan[]> {
  const oldest = new Map(traces.flatMap(({ commit, madeFor }) => madeFor.map((name) => [name, commit] as const)));
  const orphans: Orphan[] = [];
  for (const [name, commit] of oldest)
    if (!known.has(name) && (await isWorkspace(git, head, name))) orphans.push({ package: name, commit });
  return orphans;
}

async function isWorkspace(git: Git, head: CommitId, name: string): Promise<boolean> {
  const pattern = `"name"[[:space:]]*:[[:space:]]*"${name.replaceAll(/[.*[\]^$+?(){}|\\]/g, '\\$&')}"`;
  const answer = await git.attempt(['grep', '--quiet', '--extended-regexp', '-e', pattern, head, '--', ':(glob)**/package.json']);
  return answer.exit === 0;
}

/**
 * Returns how the files of another branch's import came to a ref with `origin`, a commit that is not an import;
 * `undefined` if they are independent files. Throws `GIT_FAILED`.
 */
async function howLost(git: Git, found: FoundImport, origin: CommitId | undefined): Promise<LostState | undefined> {
  if (origin === undefined) return undefined;
  const { record, merge, branch } = found;
  const places = [origin, merge, ...(branch === undefined ? [] : [branch])].map((at) => `${at}:${record.path}`);
  const [folder, ...imported] = await resolveNames(git, places);
  if (folder === undefined) return undefined;
  if (imported.some((one) => one?.id === folder.id)) return 'squashed';
  if (await isReplayed(git, record.importedTip, origin)) return 'rebased';
  return (await isMostlyFrom(git, folder.id, merge)) ? 'copied' : undefined;
}

/** Whether a commit is a rebased commit of a history: rebasing keeps author, date and subject. */
async function isReplayed(git: Git, tip: CommitId, commit: CommitId): Promise<boolean> {
  const format = '--format=%an%x00%ae%x00%at%x00%s';
  const own = await git.text(['log', '-1', format, commit]);
  return (await git.text(['log', format, tip])).split('\n').includes(own);
}

/** Whether at least half of the files of a folder are in a commit, at any path. */
async function isMostlyFrom(git: Git, folder: string, commit: CommitId): Promise<boolean> {
  const filesOf = async (tree: string): Promise<readonly string[]> =>
    parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', tree])).toString('latin1')).map(({ id }) => id);
  const imported = new Set(await filesOf(commit));
  const files = await filesOf(folder);
  return files.filter((id) => imported.has(id)).length * 2 >= files.length;
}
