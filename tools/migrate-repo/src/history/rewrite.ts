import type { Git } from '@tributary/git/git';
import { emptyTreeId, type GitObject, makeObject, type ObjectFormat, type ObjectType } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { resolveNames, streamObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import type { RepoPath } from '@tributary/model/paths';
import { ChangeCounter, type HistoryChanges } from './changes.js';
import { type CommitParts, formatCommit, parseCommit } from './commit.js';
import { CommitBodies } from './commit-bodies.js';
import { HistoryCounter, type HistoryCounts } from './counts.js';
import { moveTag } from './move-tag.js';
import { FolderHistory, type Mapped } from './select.js';
import type { SourceTag } from './source-history.js';
import { wrapTree } from './wrap.js';

/** The settings of a move. Its result is a pure function of these values and the source's objects. */
export interface Move {
  readonly format: ObjectFormat;
  /** The folder that contains the files of every new commit. */
  readonly path: RepoPath;
  /** Only the history of this folder of the source; `undefined` for all of it. */
  readonly subdirectory: RepoPath | undefined;
  readonly messages: MessageMapping;
}

/** Maps source commits to new commits. A source commit from before the folder existed has no entry. */
export type CommitMap = ReadonlyMap<ObjectId, ObjectId>;

/** A tag under its new name. */
export interface NewTag {
  readonly name: string;
  readonly id: ObjectId;
  /** The type of the object that it finally points to. */
  readonly target: ObjectType;
}

export interface Rewritten {
  readonly map: CommitMap;
  readonly tags: readonly NewTag[];
  /** Tags of commits from before the folder existed. */
  readonly leftOutTags: readonly string[];
  /** Counts of the new commits, including those that only tags reach. */
  readonly counts: HistoryCounts;
  readonly changes: HistoryChanges;
}

/** The destination of new objects. Each object is added once. */
export type ObjectSink = Pick<ObjectWriter, 'add' | 'finish'>;

/** Called with the number of commits done so far. */
export type OnCommits = (done: number) => void;

/**
 * Rewrites each commit so that it has always been under `move.path`. `CommitBodies` moves everything after the parents;
 * exact messages are copied byte for byte. No blob and no tree below the root is read. By default, `sink` writes the
 * new objects next to the old ones. Throws `GIT_FAILED`, `DISK_FULL`.
 */
export async function rewriteHistory(
  git: Git,
  move: Move,
  source: { readonly commits: readonly ObjectId[]; readonly tags: readonly SourceTag[]; readonly onCommits?: OnCommits },
  sink: ObjectSink = new ObjectWriter(git, move.format),
): Promise<Rewritten> {
  const rewriter = new Rewriter(move, sink);
  const counts = await rewriter.rewriteCommits(git, source.commits, source.onCommits);
  const { tags, leftOutTags } = await rewriter.rewriteTags(source.tags);
  await rewriter.finish();
  return { map: rewriter.map, tags, leftOutTags, counts, changes: rewriter.changes.result() };
}

class Rewriter {
  readonly map = new Map<ObjectId, ObjectId>();
  readonly changes = new ChangeCounter();
  private readonly bodies: CommitBodies;
  private readonly roots = new Map<ObjectId, ObjectId>();
  private readonly written = new Set<ObjectId>();
  private readonly folder = new FolderHistory();
  private readonly move: Move;
  private readonly writer: ObjectSink;

  constructor(move: Move, writer: ObjectSink) {
    this.move = move;
    this.bodies = new CommitBodies(move.messages);
    this.writer = writer;
  }

  finish(): Promise<void> {
    return this.writer.finish();
  }

  async rewriteCommits(git: Git, ids: readonly ObjectId[], onCommits: OnCommits = () => {}): Promise<HistoryCounts> {
    const counter = new HistoryCounter();
    let done = 0;
    const folderTrees = this.move.subdirectory === undefined ? undefined : await readFolderTrees(git, ids, this.move);
    for await (const group of streamObjects(git, ids)) {
      for (const { id, content } of group) {
        const parts = parseCommit(content);
        const tree = folderTrees === undefined ? parts.tree : folderTrees.get(id);
        const mapped = this.mapCommit(parts.parents, tree);
        if (mapped.kind === 'same') this.map.set(id, mapped.as);
        if (mapped.kind !== 'kept') this.bodies.learn({ id, parents: parts.parents }, undefined);
        else if ((await this.keep({ id, parts }, tree, mapped.parents)) === 'new') counter.add({ ...parts, parents: mapped.parents });
      }
      done += group.length;
      onCommits(done);
    }
    return counter.result();
  }

  async rewriteTags(tags: readonly SourceTag[]): Promise<{ tags: NewTag[]; leftOutTags: string[] }> {
    const kept: NewTag[] = [];
    const leftOutTags: string[] = [];
    for (const tag of tags) {
      const target = tag.target.type === 'commit' ? this.map.get(tag.target.id) : tag.target.id;
      if (target === undefined) leftOutTags.push(tag.name);
      else kept.push({ name: tag.newName, id: await this.keepTag(tag, target), target: tag.target.type });
    }
    return { tags: kept, leftOutTags };
  }

  private mapCommit(parents: readonly ObjectId[], tree: ObjectId | undefined): Mapped {
    const images = parents.map((parent) => this.map.get(parent));
    if (this.move.subdirectory !== undefined) return this.folder.map({ parents: images, tree });
    return { kind: 'kept', parents: images.map((image, at) => image ?? missingParent(parents[at])) };
  }

  /** Keeps a commit. Two commits of a folder's history may become one, if they differ only outside the folder. */
  private async keep(
    source: { readonly id: ObjectId; readonly parts: CommitParts },
    tree: ObjectId | undefined,
    parents: readonly ObjectId[],
  ): Promise<'new' | 'twin'> {
    const original = { id: source.id, parents: source.parts.parents, rest: source.parts.rest };
    const root = await this.rootFor(tree ?? emptyTreeId(this.move.format));
    const body = this.bodies.move(original);
    const commit = makeObject(this.move.format, 'commit', formatCommit({ tree: root, parents, rest: body.rest }));
    this.bodies.learn(original, commit.id);
    this.map.set(source.id, commit.id);
    if (this.move.subdirectory !== undefined) this.folder.add(commit.id, tree, parents);
    const written = await this.write(commit);
    if (written === 'new') this.changes.add(source.id, body);
    return written;
  }

  private async rootFor(tree: ObjectId): Promise<ObjectId> {
    const known = this.roots.get(tree);
    if (known !== undefined) return known;
    const wrapped = wrapTree(this.move.format, this.move.path, tree);
    // Under `x/x`, the wrapper of one tree can also be a wrapper of another.
    for (const object of wrapped.created) await this.write(object);
    this.roots.set(tree, wrapped.root);
    return wrapped.root;
  }

  /** Creates the tag objects of a chain, from the innermost to the outermost. */
  private async keepTag(tag: SourceTag, target: ObjectId): Promise<ObjectId> {
    let id = target;
    for (const link of [...tag.chain].reverse()) {
      const moved = moveTag(link, id, this.move.messages);
      const object = makeObject(this.move.format, 'tag', moved.content);
      if ((await this.write(object)) === 'new') this.changes.addSignatures(moved.signatures);
      id = object.id;
    }
    return id;
  }

  private async write(object: GitObject): Promise<'new' | 'twin'> {
    if (this.written.has(object.id)) return 'twin';
    this.written.add(object.id);
    await this.writer.add(object);
    return 'new';
  }
}

/** Returns the tree of the folder `subdirectory` in each commit. No entry if it is absent, empty or a file. */
export async function readFolderTrees(
  git: Git,
  ids: readonly ObjectId[],
  folder: Pick<Move, 'format' | 'subdirectory'>,
): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  const found = await resolveNames(
    git,
    ids.map((id) => `${id}:${folder.subdirectory ?? ''}`),
  );
  const empty = emptyTreeId(folder.format);
  return new Map(
    ids.flatMap((id, at) => {
      const entry = found[at];
      return entry?.type === 'tree' && entry.id !== empty ? [[id, entry.id] as const] : [];
    }),
  );
}

function missingParent(parent: ObjectId | undefined): never {
  throw new Error(`the commit ${parent} comes after its child`);
}
