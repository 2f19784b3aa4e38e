import { readNamedBlobs, resolveNames } from '@tributary/git/objects';
import type { AllReason } from '@tributary/model/changeset';
import type { CommitId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { mayHoldMore } from '@tributary/workspaces/deeper-patterns';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import { type LockMembers, readLockMembers } from '@tributary/workspaces/lock/members';
import { isManifest, needsExactReading } from '../changed-files.js';
import { objectName, type RootTexts, readRootTexts } from '../io/reading.js';
import type { GraphSource, Snapshot, Snapshots, UnreadableSnapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import { orUnreadable, readSnapshot } from './read-snapshot.js';

/** Both commits; or the reason to select everything, with the workspaces of the head. */
export type SidesOrAll =
  | { readonly kind: 'all'; readonly all: AllReason; readonly graph: DependencyGraph; readonly head: Snapshot | undefined }
  | SidesRead;

/** The commits, as far as they were read. */
export type SidesRead =
  /** The change alters neither the graph nor resolutions. */
  { readonly kind: 'unchanged'; readonly head: Snapshot } | { readonly kind: 'both'; readonly head: Snapshot; readonly base: Snapshot };

/**
 * Reads the head, and the base if the change may alter the graph or resolutions. The graph comes from the lockfile, unless a setting or a
 * manifest changed. Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME` and
 * `TARGET_NOT_A_MONOREPO` only for the head, because nothing else would report that.
 */
export async function readSides(inputs: AffectedInputs): Promise<SidesOrAll> {
  const { files, mergeBase, git } = inputs;
  const missing = await findMissingAtHead(inputs);
  if (missing !== undefined) return missing;
  const textsOfBase = startReadingBase(inputs);
  const head = await readHead(inputs);
  if ('all' in head) return { kind: 'all', all: head.all, graph: await readUnderDuress(inputs), head: undefined };
  const all = inputs.all ?? lockProblem(head);
  if (all !== undefined) return { kind: 'all', all, graph: head.graph, head };
  if (!needsExactReading(files)) return { kind: 'unchanged', head };
  if (mergeBase === null || textsOfBase === undefined) return { kind: 'all', all: baseNotHere(inputs), graph: head.graph, head };
  if (git.isPartial === true) {
    const { whyManifestsMissing } = await import('./missing-manifests.js');
    const why = await whyManifestsMissing(inputs, mergeBase, textsOfBase);
    if (why !== undefined) return { kind: 'all', all: why, graph: head.graph, head };
  }
  const base = await readBase(inputs, mergeBase, { head, texts: await textsOfBase });
  if ('all' in base) return { kind: 'all', all: base.all, graph: head.graph, head };
  const problem = lockProblem(base);
  if (problem !== undefined) return { kind: 'all', all: problem, graph: head.graph, head };
  if (head.project !== undefined) return { kind: 'both', base, head };
  return isTrusted(inputs, { base, head }) ? { kind: 'both', base, head } : readManifests(inputs, mergeBase, { base, head });
}

/** Nothing is fetched if no file changed: then no manifest is needed. */
async function findMissingAtHead(inputs: AffectedInputs): Promise<SidesOrAll | undefined> {
  const { git, files, all } = inputs;
  if (git.isPartial !== true || (files.length === 0 && all === undefined)) return undefined;
  const { readMissingHead } = await import('./missing-manifests.js');
  const missing = await readMissingHead(inputs);
  return missing && { kind: 'all', ...missing, head: undefined };
}

/** Tells whether the lockfiles define the graph: no manifest changed, and both have the same workspaces. */
function isTrusted({ files, filesAre }: AffectedInputs, { base, head }: Snapshots): boolean {
  // A user-supplied list may omit manifests. A lockfile with other workspaces than before was truncated or edited by hand.
  return filesAre !== 'listed' && !files.some(({ path }) => isManifest(path)) && haveSameMembers(base, head);
}

async function readHead(inputs: AffectedInputs): Promise<Snapshot | UnreadableSnapshot> {
  const { texts, headTree } = inputs;
  const head = await readSnapshot(inputs, headTree, { texts, source: sourceOf(inputs, texts) });
  if ('all' in head || head.project !== undefined) return head;
  if (!edgesNameUnlisted(inputs, head.graph) && !(await liesInUnlisted(inputs, head.graph))) return head;
  const { withManifests } = await import('./read-manifests.js');
  return withManifests(inputs, headTree, head);
}

/** Starts to read the texts of the base if they will be needed: git searches them while the head is read here. */
function startReadingBase({ git, repository, all, files, mergeBase }: AffectedInputs): Promise<RootTexts> | undefined {
  if (all !== undefined || mergeBase === null || !needsExactReading(files)) return undefined;
  const texts = readRootTexts(git, mergeBase, repository.project);
  // A failure is reported when the texts are awaited.
  texts.catch(() => {});
  return texts;
}

async function readBase(
  inputs: AffectedInputs,
  mergeBase: CommitId,
  { head, texts }: { readonly head: Snapshot; readonly texts: RootTexts },
): Promise<Snapshot | UnreadableSnapshot> {
  const source = head.project === undefined ? sourceOf(inputs, texts) : 'manifests';
  return orUnreadable(() => readSnapshot(inputs, mergeBase, { texts, source, other: head }));
}

async function readManifests(inputs: AffectedInputs, mergeBase: CommitId, sides: Snapshots): Promise<SidesOrAll> {
  const { withManifests } = await import('./read-manifests.js');
  const head = await withManifests(inputs, inputs.headTree, sides.head);
  if ('all' in head) return { kind: 'all', all: head.all, graph: await readUnderDuress(inputs), head: undefined };
  const base = await orUnreadable(() => withManifests(inputs, mergeBase, { ...sides.base, project: head.project }));
  return 'all' in base ? { kind: 'all', all: base.all, graph: head.graph, head } : { kind: 'both', base, head };
}

function sourceOf({ files }: AffectedInputs, texts: Snapshot['texts']): GraphSource {
  if (texts['yarn.lock'] === undefined) return 'manifests';
  return files.some(({ path }) => path === '.yarnrc.yml') ? 'manifests' : 'lockfile';
}

/**
 * Tells whether a file may be in a workspace that the lockfile lacks, because `yarn install` has not run since. A folder above the file is
 * then not a workspace, but has a package.json, and a pattern of the root manifest or of an outer workspace covers it. Throws
 * `MANIFEST_INVALID`.
 */
async function liesInUnlisted(inputs: AffectedInputs, graph: DependencyGraph): Promise<boolean> {
  const { git, repository, texts, headTree } = inputs;
  // A file at the top level has no folder that could be one.
  const files = inputs.files.filter(({ path }) => path.includes('/') && !path.startsWith('../'));
  const owners = [...new Set(files.map(({ path }) => graph.members[owningMember(graph, path) ?? -1]?.path ?? ('' as RepoFolder)))];
  const manifestsOf = (folders: readonly string[]): string[] =>
    folders.map((folder) => objectName(headTree, repository.project, `${folder}/package.json`));
  const above = workspacesAbove(owners, graph);
  const manifests = await readNamedBlobs(git, manifestsOf(above));
  const holders = [
    ...(mayHoldMore(texts['package.json'], owners) ? [{ path: '' as RepoFolder, text: texts['package.json'] ?? '' }] : []),
    ...above.map((path, at) => ({ path, text: manifests[at]?.toString('utf8') ?? '' })).filter(({ text }) => /workspaces|\\u/.test(text)),
  ];
  if (holders.length === 0) return false;
  const { unlistedFolders } = await import('@tributary/workspaces/unlisted');
  // A deleted manifest would be among the changes.
  const found = await resolveNames(git, manifestsOf(unlistedFolders(files, holders, graph)));
  return found.some((one) => one !== undefined);
}

/** Returns workspaces with those that contain them, without the root. */
function workspacesAbove(folders: readonly RepoFolder[], { byPath }: DependencyGraph): readonly RepoFolder[] {
  const found = new Set(folders);
  // The loop also visits folders that it adds to the set.
  for (const folder of found) if (folder !== '') found.add(parentFolder(folder));
  return [...found].filter((folder) => folder !== '' && byPath.has(folder));
}

/** Tells whether `affected.edges` names a workspace that the lockfile lacks: a newer one, or an unknown one. */
function edgesNameUnlisted({ config }: AffectedInputs, { members }: DependencyGraph): boolean {
  const readers = Object.entries(config.edges);
  if (readers.length === 0) return false;
  const known = new Set<string>(members.map(({ name }) => name));
  return readers.some(([reader, { workspaces }]) => [reader, ...Object.keys(workspaces)].some((name) => !known.has(name)));
}

/** Selects everything for an unreadable lockfile, because it has dependencies that nothing else shows. */
function lockProblem({ lock }: { readonly lock: LockMembers | undefined }): AllReason | undefined {
  if (lock?.kind !== 'unreadable') return undefined;
  return { code: 'LOCKFILE_UNREADABLE', reason: `yarn.lock cannot be read: ${lock.reason}.` };
}

/** Tells whether the same folders are workspaces. */
export function haveSameMembers(base: Snapshot, head: Snapshot): boolean {
  const { byPath } = head.graph;
  return byPath.size === base.graph.byPath.size && base.graph.members.every(({ path }) => byPath.has(path));
}

/** Returns the workspaces for an answer that is "all" anyway, with an unreadable setting, or manifests in a submodule. */
async function readUnderDuress(inputs: AffectedInputs): Promise<DependencyGraph> {
  const texts = { ...inputs.texts, '.yarnrc.yml': undefined };
  const head = await readSnapshot(inputs, inputs.headTree, { texts, source: 'manifests' });
  if (!('all' in head)) return head.graph;
  const lock = readLockMembers(inputs.texts['yarn.lock'] ?? '');
  if (lock.kind !== 'berry') throw new Error(`the workspaces could not be read: ${head.all.reason}`);
  return lock.graph;
}

function baseNotHere({ files }: AffectedInputs): AllReason {
  const file = files.find(({ path, kind }) => needsExactReading([{ path, kind, status: 'modified' }]))?.path ?? '';
  return { code: 'BASE_UNKNOWN', reason: `${file} changed, and its old content is not in this clone.` };
}
