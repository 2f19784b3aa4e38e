import type { Git } from '@tributary/git/git';
import { emptyTreeId } from '@tributary/git/object-id';
import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { type CommitParts, parseCommit } from './commit.js';
import { CommitBodies } from './commit-bodies.js';
import { HistoryCounter, type HistoryCounts } from './counts.js';
import type { Flaw, MoveDestination } from './invert.js';
import { type CommitMap, readFolderTrees } from './rewrite.js';
import { slices } from './slices.js';
import { wrapTree } from './wrap.js';

/** Where a folder's history was moved to. */
export interface FolderDestination extends MoveDestination {
  readonly subdirectory: RepoPath;
}

/** A folder's history to compare: the source's commits, parents first, and the new commits that the result reaches. */
export interface MovedFolder {
  readonly sources: readonly ObjectId[];
  readonly ids: readonly ObjectId[];
  readonly map: CommitMap;
}

/**
 * Compares every commit of the source with its image. The folder's tree must be the same, in one of two cases:
 *
 * - The commit has its own image. Its parents are the images of its parents. Everything after them is what the move
 *   makes of the original, and the inverse gives the original, byte for byte.
 * - The folder did not change, and the image is that of a parent.
 *
 * A commit without an image has no folder, and neither has any before it. The result must reach exactly these images.
 * Returns the counts, or the first `Flaw`. Throws `GIT_FAILED`.
 */
export async function compareFolderHistory(git: Git, place: FolderDestination, moved: MovedFolder): Promise<HistoryCounts | Flaw> {
  const made = new Set<ObjectId>();
  const bodies = new CommitBodies(place.messages);
  const counter = new HistoryCounter();
  for (const sources of slices(moved.sources)) {
    const pairs = await readPairs(git, place, { sources, map: moved.map });
    for (const pair of pairs) {
      const outcome = comparePair(place, pair, { map: moved.map, bodies });
      if ('flaw' in outcome) return outcome;
      bodies.learn({ id: pair.source.id, parents: pair.source.parts.parents }, outcome.made?.id);
      if (outcome.made === undefined || made.has(outcome.made.id)) continue;
      made.add(outcome.made.id);
      counter.add(outcome.made.parts);
    }
  }
  const reached = new Set(moved.ids);
  const lost = [...made].find((id) => !reached.has(id));
  if (lost !== undefined) return { flaw: `the commit ${lost} is not part of the new history` };
  const strange = moved.ids.find((id) => !made.has(id));
  return strange === undefined ? counter.result() : { flaw: `the commit ${strange} does not come from a commit of the source` };
}

/** A commit of the source and its image. */
interface Pair {
  readonly source: { readonly id: ObjectId; readonly parts: CommitParts };
  /** The folder's tree in `source`; `undefined` if it is absent, empty or a file. */
  readonly tree: ObjectId | undefined;
  /** `undefined` if the folder did not exist yet. */
  readonly image: Image | undefined;
}

interface Image {
  readonly id: ObjectId;
  readonly parts: CommitParts;
}

async function readPairs(
  git: Git,
  place: FolderDestination,
  wanted: { readonly sources: readonly ObjectId[]; readonly map: CommitMap },
): Promise<Pair[]> {
  const images = new Set(wanted.sources.map((id) => wanted.map.get(id)).filter((id) => id !== undefined));
  const trees = await readFolderTrees(git, wanted.sources, place);
  const olds = await readCommits(git, wanted.sources);
  const news = new Map((await readCommits(git, [...images])).map((image) => [image.id, image]));
  return olds.map((source) => {
    const image = wanted.map.get(source.id);
    return { source, tree: trees.get(source.id), image: image === undefined ? undefined : news.get(image) };
  });
}

async function readCommits(git: Git, ids: readonly ObjectId[]): Promise<Image[]> {
  return (await readObjects(git, ids)).map(({ id, content }) => ({ id, parts: parseCommit(content) }));
}

interface Known {
  readonly map: CommitMap;
  readonly bodies: CommitBodies;
}

function comparePair(
  place: FolderDestination,
  { source, tree, image }: Pair,
  { map, bodies }: Known,
): Flaw | { readonly made: Image | undefined } {
  const parents = [...new Set(source.parts.parents.map((parent) => map.get(parent)).filter((parent) => parent !== undefined))];
  if (image === undefined) {
    const absent = tree === undefined && parents.length === 0;
    return absent ? { made: undefined } : { flaw: `the commit ${source.id}, which has the folder ${place.subdirectory}, was left out` };
  }
  if (image.parts.tree !== wrapTree(place.format, place.path, tree ?? emptyTreeId(place.format)).root)
    return {
      flaw: `the commit ${image.id} does not have exactly the files under ${place.path}, and nowhere else, that ${source.id} has under ${place.subdirectory}`,
    };
  const own = image.parts.parents.length === parents.length && parents.every((parent, at) => image.parts.parents[at] === parent);
  if (own && saysTheSame(image, source, bodies)) return { made: image };
  if (parents.includes(image.id)) return { made: undefined };
  return {
    flaw: own
      ? `the message or a header of the commit ${image.id} differs from ${source.id}`
      : `the parents of the commit ${image.id} do not correspond to the parents of ${source.id}`,
  };
}

function saysTheSame(image: Image, { id, parts }: Image, bodies: CommitBodies): boolean {
  const { parents, rest } = parts;
  return bodies.move({ id, parents, rest }).rest.equals(image.parts.rest) && bodies.undo(image.parts.rest).equals(rest);
}
