import type { Git } from '@tributary/git/git';
import { makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, streamObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import type { RepoPath } from '@tributary/model/paths';
import { type CommitParts, formatCommit, parseCommit } from './commit.js';
import { CommitBodies } from './commit-bodies.js';
import { HistoryCounter, type HistoryCounts } from './counts.js';
import type { CommitMap, OnCommits } from './rewrite.js';
import { slices } from './slices.js';
import { stepInto, unwrapTree } from './wrap.js';

/** Where a history was moved to. */
export interface MoveDestination {
  readonly format: ObjectFormat;
  readonly path: RepoPath;
  readonly messages: MessageMapping;
}

/** The result of reversing a move. */
export interface Inverse {
  /** Maps each new commit to the id of its original, found by hashing. */
  readonly originals: CommitMap;
  readonly counts: HistoryCounts;
}

/** A sentence about the first deviation. */
export interface Flaw {
  readonly flaw: string;
}

/**
 * Reverses the move of a whole repository. Reads each commit, removes the path from its tree, restores the original
 * parents, message and headers, and hashes the result. The ids equal the source's only if every tree, author, date,
 * header, message and parent is the original, byte for byte.
 *
 * `ids`: parents before children. Returns a `Flaw` if a commit has anything outside the path, or a message that differs
 * from the moved original. Throws `GIT_FAILED`.
 */
export async function invertHistory(
  git: Git,
  place: MoveDestination,
  moved: { readonly ids: readonly ObjectId[]; readonly onCommits?: OnCommits },
): Promise<Inverse | Flaw> {
  const originals = new Map<ObjectId, ObjectId>();
  const bodies = new CommitBodies(place.messages);
  const counter = new HistoryCounter();
  for (const ids of slices(moved.ids)) {
    const commits = (await readObjects(git, ids)).map((object) => ({ id: object.id, parts: parseCommit(object.content) }));
    const trees = await readWrappers(git, place, new Set(commits.map((commit) => commit.parts.tree)));
    for (const { id, parts } of commits) {
      const tree = unwrapTree(place.format, place.path, { root: parts.tree, trees: (wanted) => trees.get(wanted) });
      if (tree === undefined) return { flaw: `the commit ${id} has files outside ${place.path}` };
      const rest = bodies.undo(parts.rest);
      const original = invertCommit(place.format, originals, { ...parts, tree, rest });
      if (original === undefined) return { flaw: `the commit ${id} has a parent that was not imported` };
      if (!bodies.move({ ...original, rest }).rest.equals(parts.rest))
        return { flaw: `the message or a header of the commit ${id} is not the rewritten one of ${original.id}` };
      bodies.learn(original, id);
      originals.set(id, original.id);
      counter.add(parts);
    }
    moved.onCommits?.(originals.size);
  }
  return { originals, counts: counter.result() };
}

interface Original {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
}

function invertCommit(format: ObjectFormat, originals: CommitMap, parts: CommitParts): Original | undefined {
  const parents = parts.parents.map((parent) => originals.get(parent)).filter((parent) => parent !== undefined);
  if (parents.length < parts.parents.length) return undefined;
  return { id: makeObject(format, 'commit', formatCommit({ ...parts, parents })).id, parents };
}

/** Reads the trees from `roots` down to the path, one level at a time. */
export async function readWrappers(
  git: Git,
  place: Pick<MoveDestination, 'format' | 'path'>,
  roots: ReadonlySet<ObjectId>,
): Promise<ReadonlyMap<ObjectId, Buffer>> {
  const trees = new Map<ObjectId, Buffer>();
  let level = [...roots];
  for (let depth = place.path.split('/').length; depth > 0; depth--) {
    const next = new Set<ObjectId>();
    for await (const group of streamObjects(git, level)) {
      for (const { id, content } of group) {
        trees.set(id, content);
        const inner = stepInto(place.format, content);
        if (inner !== undefined) next.add(inner);
      }
    }
    level = depth > 1 ? [...next].filter((id) => !trees.has(id)) : [];
  }
  return trees;
}
