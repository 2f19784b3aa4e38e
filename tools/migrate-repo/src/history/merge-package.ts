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

/** What a source has changed, and the monorepo that it is to be merged into: whole trees of repositories. */
export interface PackageSides {
  /** As the last import left it. */
  readonly base: ObjectId;
  readonly ours: ObjectId;
  /** As an import of the new tip would leave it. */
  readonly theirs: ObjectId;
  readonly path: RepoPath;
}

/** What came of a merge. */
export interface MergedPackage {
  /** The tree of the whole repository; files of the package that conflict hold both versions, between marks. */
  readonly tree: ObjectId;
  /** What stands under the path. */
  readonly folder: ObjectId;
  /** Of files of the package. Empty: a clean merge. */
  readonly stages: readonly ConflictStage[];
  /** Files beside the package that change with it. */
  readonly outside: FileChanges;
  /** Files beside the package that conflict: they stay as they are. */
  readonly left: readonly RepoPath[];
}

/** Where it is merged. */
export interface MergePlace {
  readonly scratch: AbsolutePath;
  /** Object folders that hold the trees. */
  readonly alternates: readonly AbsolutePath[];
  readonly format: ObjectFormat;
  readonly signal: AbortSignal;
}

/** What the marks of a conflict call the sides. */
const LABELS = { ours: 'monorepo', theirs: 'source' };

/**
 * Merges the change from `base` to `theirs` into `ours`: the folder of the package, and files beside it that the change touches. What else the trees differ in is not looked at:
 * `base` may be an old state of the monorepo. Throws `GIT_FAILED`, `DISK_FULL`.
 */
export async function mergePackage(place: MergePlace, sides: PackageSides): Promise<MergedPackage> {
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

/** The files in which two trees differ. Throws `GIT_FAILED`. */
export async function diffTrees(git: Git, one: ObjectId, other: ObjectId): Promise<readonly RawChange[]> {
  return parseRawDiff((await git.bytes(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', one, other])).toString('utf8'));
}

/** Our tree with the package and the files beside it as one of the sides has them: what the monorepo has done elsewhere since is no part of the merge. */
async function onOurs(
  git: Git,
  { format }: MergePlace,
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

/** By path, the text of each that all three sides have and that can be merged key by key. */
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

/** Puts in what was merged key by key, and takes back what conflicts beside the package. */
async function settle(
  git: Git,
  { format }: MergePlace,
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

/** What these changes do to files. Throws `GIT_FAILED`. */
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
