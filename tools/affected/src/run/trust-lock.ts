import { idLength } from '@tributary/git/object-id';
import { readNamedBlobs, readNamedObjects } from '@tributary/git/objects';
import { parseTree } from '@tributary/git/tree';
import { pairsOf, peersOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { ChangedFile } from '@tributary/model/changeset';
import { isToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import { differingRanges } from '@tributary/workspaces/lock/agreement';
import type { BerryMembers } from '@tributary/workspaces/lock/members';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { isSameValue } from '@tributary/workspaces/same-value';
import { isManifest } from '../changed-files.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';

/** A commit with its lockfile. */
interface Locked {
  readonly commit: string;
  readonly lock: BerryMembers;
  readonly snapshot: Snapshot;
  readonly records: ReadonlyMap<RepoFolder, LockRecord>;
}

/**
 * Tells whether the lockfiles of two commits agree with the manifests that changed between them. They then define the graph, and no other
 * manifest has to be read.
 * They agree if four conditions hold. Each changed manifest of a workspace has the lockfile's name and ranges. Its version leads where the
 * lockfile says. Workspaces came and went only together with their manifests. None of them is a link or submodule.
 */
export async function lockfilesAreCurrent(
  inputs: AffectedInputs,
  mergeBase: CommitId,
  sides: { readonly base: Snapshot; readonly head: Snapshot },
): Promise<boolean> {
  const [base, head] = [locked(sides.base, mergeBase), locked(sides.head, inputs.headTree)];
  if (base === undefined || head === undefined || sides.head.settings.transparentWorkspaces === 'off') return false;
  const files = inputs.files.filter(({ path }) => isManifest(path) && !path.startsWith('../'));
  const folders = new Set(files.map(({ path }) => parentFolder(path)));
  // The content of a link or submodule is not visible here.
  if (
    inputs.files.some(({ kind }) => kind === 'submodule') ||
    files.some(({ kind }) => kind !== 'file') ||
    !areMembersExplained(base, head, folders)
  )
    return false;
  if (!(await haveFolders(inputs, mergeBase, base)) || !(await haveFolders(inputs, inputs.headTree, head))) return false;
  const nameOf = (commit: string) => (file: ChangedFile) => nameIn(inputs, commit, file.path);
  const blobs = await readNamedBlobs(inputs.git, [...files.map(nameOf(mergeBase)), ...files.map(nameOf(inputs.headTree))]);
  try {
    for (const [at, { path }] of files.entries()) {
      const manifests = { base: read(blobs[at], path), head: read(blobs[files.length + at], path) };
      if (!(await agrees(inputs, manifests, { base, head, folder: parentFolder(path) }))) return false;
    }
  } catch (error) {
    // Reading all manifests will report the error.
    if (isToolError(error)) return false;
    throw error;
  }
  return true;
}

function locked(snapshot: Snapshot, commit: string): Locked | undefined {
  const { lock, settings } = snapshot;
  const ranges = [...settings.catalogs.values()].flatMap((catalog) => [...catalog.values()]);
  // The lockfile has only the resolutions of a catalog, not its ranges.
  if (lock?.kind !== 'berry' || ranges.some((range) => /^(workspace|portal|link|file|exec):/.test(range))) return undefined;
  const records = new Map(
    lock.index.records.flatMap((record) => (record.workspace === undefined ? [] : [[record.workspace, record] as const])),
  );
  return { commit, lock, snapshot, records };
}

function nameIn({ place: { project } }: AffectedInputs, commit: string, path: string): string {
  return `${commit}:${[project, path].filter((part) => part !== '').join('/')}`;
}

/** Tells whether no workspace is a link or submodule, whose content is not visible here. */
async function haveFolders(inputs: AffectedInputs, commit: string, { lock: { graph } }: Locked): Promise<boolean> {
  const parents = [...new Set(graph.members.flatMap(({ path }) => (path === '' ? [] : [parentFolder(path)])))];
  const trees = await readNamedObjects(
    inputs.git,
    parents.map((parent) => nameIn(inputs, commit, parent)),
  );
  return parents.every((parent, at) => {
    const tree = trees[at];
    if (tree?.type !== 'tree') return false;
    // Nearly all contain only folders and files, and some thousands of them.
    if (!OTHER_MODES.some((mode) => tree.content.includes(`${mode} `))) return true;
    const others = parseTree(tree.id.length === idLength('sha1') ? 'sha1' : 'sha256', tree.content).filter(({ mode }) =>
      OTHER_MODES.includes(mode),
    );
    const paths = others.map(({ name }) => `${parent === '' ? '' : `${parent}/`}${Buffer.from(name, 'latin1').toString('utf8')}`);
    return !paths.some((path) => graph.byPath.has(path as RepoFolder));
  });
}

/** Symbolic links and submodules. */
const OTHER_MODES: readonly string[] = ['120000', '160000'];

/** Detects a lockfile that was truncated or edited by hand, and so lacks workspaces. */
function areMembersExplained(base: Locked, head: Locked, folders: ReadonlySet<RepoFolder>): boolean {
  const differ = (one: Locked, other: Locked): boolean =>
    one.lock.graph.members.some(({ name, path }) => nameAt(other, path) !== name && !folders.has(path));
  return !differ(base, head) && !differ(head, base);
}

function nameAt({ lock: { graph } }: Locked, path: RepoFolder): string | undefined {
  return graph.members[graph.byPath.get(path) ?? -1]?.name;
}

function read(blob: Buffer | undefined, path: string): Manifest | undefined {
  return blob === undefined ? undefined : parseManifest(blob.toString('utf8'), path);
}

/** Keys that affect other workspaces: where their dependencies lead, and whether their scripts call root scripts. */
const ROOT_KEYS = ['resolutions', 'scripts'];

interface Both<T> {
  readonly base: T;
  readonly head: T;
}

async function agrees(
  inputs: AffectedInputs,
  manifests: Both<Manifest | undefined>,
  { folder, ...sides }: Both<Locked> & { readonly folder: RepoFolder },
): Promise<boolean> {
  const { base, head } = manifests;
  if (!(await hasEntry(inputs, base, sides.base, folder)) || !(await hasEntry(inputs, head, sides.head, folder))) return false;
  // These decide about others: which folders are workspaces, and where names lead.
  if (!isSameValue(base?.workspaces ?? [], head?.workspaces ?? [], 'counts')) return false;
  if (folder === '' && ROOT_KEYS.some((key) => !isSameValue(base?.raw[key], head?.raw[key], 'counts'))) return false;
  if (base?.version === head?.version && base?.name === head?.name) return true;
  const { agreesWithVersion } = await import('@tributary/workspaces/lock/versions');
  return [[base, sides.base] as const, [head, sides.head] as const].every(([manifest, { lock }]) => {
    const { name, version } = manifest ?? {};
    return name === undefined || agreesWithVersion(lock.index.records, { name, path: folder, version });
  });
}

/** Tells whether the lockfile has an entry with the name and ranges of a manifest, or none if it is not a workspace. */
async function hasEntry(inputs: AffectedInputs, manifest: Manifest | undefined, side: Locked, folder: RepoFolder): Promise<boolean> {
  const record = side.records.get(folder);
  if (manifest === undefined) return record === undefined;
  if (record === undefined) return !(await isCovered(inputs, side, folder));
  if (manifest.name !== nameAt(side, folder)) return false;
  const ranges = { dependencies: new Map(pairsOf(record)), peerDependencies: new Map(peersOf(record)) };
  return differingRanges(manifest, ranges).length === 0;
}

/** Tells whether it may be a workspace that the lockfile lacks, by the patterns of the root or of an outer workspace. */
async function isCovered(inputs: AffectedInputs, { commit, lock, snapshot }: Locked, folder: RepoFolder): Promise<boolean> {
  if (/(^|\/)node_modules\//.test(folder)) return false;
  const above: string[] = [];
  for (let at = parentFolder(folder); at !== ''; at = parentFolder(at)) if (lock.graph.byPath.has(at)) above.push(`${at}/package.json`);
  const names = above.map((path) => nameIn(inputs, commit, path));
  const blobs = await readNamedBlobs(inputs.git, names);
  if (blobs.some((blob, at) => (read(blob, above[at] ?? '')?.workspaces.length ?? 1) > 0)) return true;
  const { buildFolderMatcher } = await import('@tributary/workspaces/patterns');
  return buildFolderMatcher(snapshot.rootManifest.workspaces, '')(folder);
}
