import { type Git, plumbing } from '@tributary/git/git';
import { type ConflictStage, mergeTrees } from '@tributary/git/merge-trees';
import { makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { readNamedBlobs, resolveNames } from '@tributary/git/objects';
import { parseRawDiff, type RawChange } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { ObjectId } from '@tributary/model/ids';
import { type AbsolutePath, isInside, joinRepoPath, parseRepoPath, type RepoPath } from '@tributary/model/paths';
import type { FileChanges } from './branch.js';
import { mergeJson } from './merge-json.js';
import { TreeDraft } from './tree-draft.js';

/** The trees to merge: whole repositories. */
export interface PackageSides {
  /** The result of the last import. */
  readonly base: ObjectId;
  readonly ours: ObjectId;
  /** The result that an import of the new tip would have. */
  readonly theirs: ObjectId;
  readonly path: RepoPath;
}

/** The result of a merge. */
export interface MergedPackage {
  /** The tree of the whole repository. Conflicting files of the package have both versions, with conflict marks. */
  readonly tree: ObjectId;
  /** The tree under the path. */
  readonly folder: ObjectId;
  /** Conflicts in files of the package. Empty for a clean merge. */
  readonly stages: readonly ConflictStage[];
  /** Files outside the package that change with it. */
  readonly outside: FileChanges;
  /** Conflicting files outside the package, which are not changed. */
  readonly left: readonly RepoPath[];
}

/** Where the merge happens. */
export interface MergeRepository {
  readonly scratch: AbsolutePath;
  /** Object folders with the trees. */
  readonly alternates: readonly AbsolutePath[];
  readonly format: ObjectFormat;
  readonly signal: AbortSignal;
}

/** The names of the sides in conflict marks. */
const LABELS = { ours: 'monorepo', theirs: 'source' };

/**
 * Merges the change from `base` to `theirs` into `ours`: the package's folder, and files outside it that the change
 * touches. Other differences of the trees are ignored, because `base` may be an old state of the monorepo. Throws
 * `GIT_FAILED`, `DISK_FULL`.
 */
export async function mergePackage(place: MergeRepository, sides: PackageSides): Promise<MergedPackage> {
  const { scratch, ...settings } = place;
  const git = plumbing(scratch, settings);
  const beside = (await diffTrees(git, sides.base, sides.theirs)).filter(({ path }) => !isInside(path, sides.path));
  const [base, theirs] = [
    await onOurs(git, place, { sides, from: 'base', beside }),
    await onOurs(git, place, { sides, from: 'theirs', beside }),
  ];
  const trees = { base, ours: { tree: sides.ours, label: LABELS.ours }, theirs: { tree: theirs, label: LABELS.theirs } };
  const merged = await mergeTrees(scratch, trees, settings);
  const manifests = [joinRepoPath(sides.path, 'package.json'), ...beside.map(({ path }) => path as RepoPath)];
  const json = await mergeManifests(
    git,
    { base, ours: sides.ours, theirs },
    manifests.filter((path) => /(^|\/)package\.json$/.test(path)),
  );
  const conflicts = merged.stages.filter(({ path }) => !json.has(nameAsText(path)));
  const left = [...new Set(conflicts.map(({ path }) => nameAsText(path)).filter((path) => !isInside(path, sides.path)))].map(parseRepoPath);
  const tree = await settle(git, place, { tree: merged.tree, ours: sides.ours, json, left });
  const [folder] = await resolveNames(git, [`${tree}:${sides.path}`]);
  if (folder === undefined) throw new Error(`nothing is left of ${sides.path}`);
  return {
    tree,
    folder: folder.id,
    stages: conflicts.filter(({ path }) => isInside(nameAsText(path), sides.path)),
    outside: await readChanges(
      git,
      (await diffTrees(git, sides.ours, tree)).filter(({ path }) => !isInside(path, sides.path)),
    ),
    left,
  };
}

/** Returns the files that differ between two trees. Throws `GIT_FAILED`. */
export async function diffTrees(git: Git, one: ObjectId, other: ObjectId): Promise<readonly RawChange[]> {
  return parseRawDiff((await git.bytes(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', one, other])).toString('utf8'));
}

/**
 * Returns our tree with one side's version of the package and of the touched files outside it. So the monorepo's other
 * changes are not part of the merge.
 */
async function onOurs(
  git: Git,
  { format }: MergeRepository,
  { sides, from, beside }: { readonly sides: PackageSides; readonly from: 'base' | 'theirs'; readonly beside: readonly RawChange[] },
): Promise<ObjectId> {
  const [folder] = await resolveNames(git, [`${sides[from]}:${sides.path}`]);
  const draft = new TreeDraft(git, format, sides.ours);
  await draft.edit({ path: sides.path, entry: folder && { mode: '40000', id: folder.id } });
  for (const { path, oldMode, oldId, newMode, newId } of beside) {
    const [mode, id] = from === 'base' ? [oldMode, oldId] : [newMode, newId];
    await draft.edit({ path: parseRepoPath(path), entry: mode === '000000' ? undefined : { mode, id: id as ObjectId } });
  }
  await draft.store(git);
  return draft.root;
}

/** Returns texts by path, for files that all three sides have and that merge key by key. */
async function mergeManifests(
  git: Git,
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', ObjectId>,
  paths: readonly RepoPath[],
): Promise<ReadonlyMap<string, string>> {
  const merged = new Map<string, string>();
  for (const path of paths) {
    const blobs = await readNamedBlobs(
      git,
      [base, ours, theirs].map((tree) => `${tree}:${path}`),
    );
    const [one, two, three] = blobs.map((blob) => blob?.toString('utf8'));
    const text =
      one === undefined || two === undefined || three === undefined ? undefined : mergeJson({ base: one, ours: two, theirs: three });
    if (text !== undefined) merged.set(path, text);
  }
  return merged;
}

/** Inserts files that were merged key by key, and restores conflicting files outside the package. */
async function settle(
  git: Git,
  { format }: MergeRepository,
  what: {
    readonly tree: ObjectId;
    readonly ours: ObjectId;
    readonly json: ReadonlyMap<string, string>;
    readonly left: readonly RepoPath[];
  },
): Promise<ObjectId> {
  const draft = new TreeDraft(git, format, what.tree);
  const writer = new ObjectWriter(git, format);
  for (const [path, text] of what.json) {
    const blob = makeObject(format, 'blob', Buffer.from(text));
    await writer.add(blob);
    await draft.edit({ path: parseRepoPath(path), entry: { mode: '100644', id: blob.id } });
  }
  await writer.finish();
  for (const path of what.left) {
    const [entry] = (await git.bytes(['ls-tree', '-z', what.ours, '--', path])).toString('latin1').split('\t');
    const [mode = '', , id = ''] = (entry ?? '').split(' ');
    await draft.edit({ path, entry: id === '' ? undefined : { mode, id: id as ObjectId } });
  }
  await draft.store(git);
  return draft.root;
}

/** Returns the new contents of changed files. Throws `GIT_FAILED`. */
export async function readChanges(git: Git, changes: readonly RawChange[]): Promise<FileChanges> {
  const found = await readNamedBlobs(
    git,
    changes.map(({ newId }) => newId),
  );
  return new Map(
    changes.map(({ path, newMode }, at) => {
      const content = newMode === '000000' ? undefined : found[at];
      return [parseRepoPath(path), content && { mode: newMode, content }];
    }),
  );
}
