import type { Git } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { parseCommit } from './commit.js';
import { slices } from './slices.js';

/** A commit of the source and its new commit. */
export interface CommitPair {
  readonly source: ObjectId;
  readonly image: ObjectId;
}

/** The folders of the pairs' files. */
export interface PatchFolders {
  readonly format: ObjectFormat;
  /** The folder in the source; `undefined` for its root. */
  readonly subdirectory: RepoPath | undefined;
  /** The folder in the images. */
  readonly path: RepoPath;
}

/** The number of commits whose patches are held at once. */
const AT_ONCE = 64;

/**
 * Compares commits with their images, using git itself: the patch (`git patch-id`, without the folder's name), all
 * files, author, committer and both dates. Returns a sentence about the first difference; `undefined` if there is none.
 * `git` reads both sides. Throws `GIT_FAILED`.
 */
export async function findChangedPatch(git: Git, pairs: readonly CommitPair[], folders: PatchFolders): Promise<string | undefined> {
  for (const some of slices(pairs, AT_ONCE)) {
    const flaw = await findChanged(git, some, folders);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

async function findChanged(git: Git, pairs: readonly CommitPair[], folders: PatchFolders): Promise<string | undefined> {
  const sources = pairs.map(({ source }) => source);
  const images = pairs.map(({ image }) => image);
  const patches = [await readPatchIds(git, sources, folders.subdirectory), await readPatchIds(git, images, folders.path)] as const;
  const trees = [
    await readTrees(
      git,
      sources.map((id) => (folders.subdirectory === undefined ? `${id}^{tree}` : `${id}:${folders.subdirectory}`)),
      folders,
    ),
    await readTrees(
      git,
      images.map((id) => `${id}:${folders.path}`),
      folders,
    ),
  ] as const;
  const people = [await readPeople(git, sources), await readPeople(git, images)] as const;
  for (const [at, { source, image }] of pairs.entries()) {
    const parts: readonly (readonly [string, boolean])[] = [
      ['its patch', patches[0].get(source) === patches[1].get(image)],
      ['its content', trees[0][at] === trees[1][at]],
      ['its author, its committer or a date', people[0][at] === people[1][at]],
    ];
    const different = parts.find(([, isSame]) => !isSame);
    if (different !== undefined) return `of ${source.slice(0, 10)}, which became ${image.slice(0, 10)}, ${different[0]} differs`;
  }
  return undefined;
}

/** Returns patch ids by commit. A merge has none, and neither has a commit that changes no file of the folder. */
async function readPatchIds(git: Git, ids: readonly ObjectId[], folder: RepoPath | undefined): Promise<ReadonlyMap<string, string>> {
  const how = ['-p', '-r', '--root', '--no-renames', '--full-index', '--binary', '--no-color', '--no-ext-diff', '--no-textconv'];
  const relative = folder === undefined ? [] : [`--relative=${folder}/`];
  const patches = await git.bytes(['diff-tree', '--stdin', ...how, ...relative], { input: `${ids.join('\n')}\n` });
  const lines = (await git.text(['patch-id', '--stable'], { input: patches })).split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.split(' ')[1] ?? '', line.split(' ')[0] ?? '']));
}

/** `undefined` where there is no file. */
async function readTrees(git: Git, names: readonly string[], { format }: PatchFolders): Promise<readonly (ObjectId | undefined)[]> {
  const empty = emptyTreeId(format);
  return (await resolveNames(git, names)).map((found) => (found?.id === empty ? undefined : found?.id));
}

/** Returns the author and committer lines, with both dates. */
async function readPeople(git: Git, ids: readonly ObjectId[]): Promise<readonly string[]> {
  return (await readObjects(git, ids)).map(({ content }) => {
    const header = parseCommit(content).rest.toString('latin1').split('\n\n', 1)[0] ?? '';
    return header
      .split('\n')
      .filter((line) => /^(?:author|committer) /.test(line))
      .join('\n');
  });
}
