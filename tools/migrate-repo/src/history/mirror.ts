import type { Git } from '@tributary/git/git';
import { emptyTreeId, type GitObject, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { NamedRepository } from '@tributary/model/message-mapping';
import type { RepoPath } from '@tributary/model/paths';
import { formatCommit, parseCommit } from './commit.js';
import { type Flaw, invertHistory, type MoveDestination } from './invert.js';
import { mirrorBody } from './mirror-body.js';
import { type CommitMap, type ObjectSink, readFolderTrees } from './rewrite.js';
import { FolderHistory, type Mapped } from './select.js';
import { slices } from './slices.js';

/** A commit of the monorepo with its parents there. */
export interface ListedCommit {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
}

/** What is mirrored: the history of one folder, as a separate repository. */
export interface MirrorPlace {
  readonly format: ObjectFormat;
  readonly path: RepoPath;
  /** The monorepo that references in its messages refer to; `undefined` if unknown. */
  readonly repository: NamedRepository | undefined;
}

/**
 * The history of one folder of a monorepo: imported commits with their original ids, and later commits with new ids. A
 * pure function of the commits, so every clone creates the same. New objects go to the sink, which the caller finishes.
 */
export class MirroredHistory {
  /** Maps commits of the monorepo to commits of the mirror, parents first. A commit without an entry is older than the folder. */
  readonly images: CommitMap;
  private readonly map: Map<ObjectId, ObjectId>;
  private readonly folder = new FolderHistory();
  private readonly place: MirrorPlace;
  private readonly empty: ObjectId;
  private hasEmptyTree = false;

  constructor(place: MirrorPlace, known: CommitMap = new Map()) {
    this.place = place;
    this.map = new Map(known);
    this.images = this.map;
    this.empty = emptyTreeId(place.format);
  }

  /** Recreates imported commits with their original ids, which also proves them. `ids`: parents first. Throws `GIT_FAILED`. */
  async restore(git: Git, destination: MoveDestination, ids: readonly ObjectId[], sink: ObjectSink): Promise<CommitMap | Flaw> {
    const inverse = await invertHistory(git, destination, {
      ids,
      onRestored: async ({ object, tree, parents }) => {
        this.learn(object.id, { tree, parents });
        await sink.add(object);
      },
    });
    if ('flaw' in inverse) return inverse;
    for (const [moved, original] of inverse.originals) this.map.set(moved, original);
    return inverse.originals;
  }

  /** Adds commits that already have their final ids. */
  async adopt(git: Git, ids: readonly ObjectId[]): Promise<void> {
    for (const slice of slices(ids))
      for (const { id, content } of await readObjects(git, slice)) {
        this.learn(id, parseCommit(content));
        this.map.set(id, id);
      }
  }

  /** Adds a monorepo commit whose folder has the same files as a commit of the mirror. */
  equate(id: ObjectId, image: ObjectId): void {
    this.map.set(id, image);
  }

  /**
   * Continues with commits of the monorepo, parents first. Unknown earlier commits are not mirrored. Returns the number
   * of new commits. Throws `GIT_FAILED`.
   */
  async extend(git: Git, commits: readonly ListedCommit[], sink: ObjectSink): Promise<number> {
    const { format, path } = this.place;
    const here = new Set(commits.map(({ id }) => id));
    const before = new Set(commits.flatMap(({ parents }) => parents).filter((id) => !here.has(id) && this.map.has(id)));
    const trees = await readFolderTrees(git, [...before, ...here], { format, subdirectory: path });
    await this.recall(git, commits, new Map([...before].map((id) => [this.map.get(id) ?? id, trees.get(id)])));
    // A commit with the same files as its only parent maps to that parent's image, so it need not be read.
    const isRead = ({ id, parents: [parent, ...more] }: ListedCommit): boolean =>
      parent === undefined || more.length > 0 || trees.get(parent) !== trees.get(id) || !(here.has(parent) || before.has(parent));
    let made = 0;
    for (const slice of slices(commits)) {
      const wanted = slice.filter(isRead).map(({ id }) => id);
      const contents = new Map((await readObjects(git, wanted)).map(({ id, content }) => [id, content]));
      for (const commit of slice) made += await this.mirror(commit, trees.get(commit.id), { content: contents.get(commit.id), sink });
    }
    return made;
  }

  /**
   * Adds known commits of the mirror that this run did not create. Only merges need their ancestors; other commits need
   * only the trees of their parents.
   */
  private async recall(git: Git, commits: readonly ListedCommit[], trees: ReadonlyMap<ObjectId, ObjectId | undefined>): Promise<void> {
    const unknown = [...trees.keys()].filter((id) => !this.folder.has(id));
    if (unknown.length === 0) return;
    const hasMerges = commits.some(({ parents }) => parents.length > 1);
    const ancestors = hasMerges ? await listCommits(git, unknown) : unknown.map((id) => ({ id, parents: [] }));
    for (const { id, parents } of ancestors) if (!this.folder.has(id)) this.folder.add(id, trees.get(id), parents);
  }

  private async mirror(
    { id, parents }: ListedCommit,
    tree: ObjectId | undefined,
    work: { readonly content: Buffer | undefined; readonly sink: ObjectSink },
  ): Promise<0 | 1> {
    const mapped = this.folder.map({ parents: parents.map((parent) => this.map.get(parent)), tree });
    if (mapped.kind === 'same') this.map.set(id, mapped.as);
    if (mapped.kind !== 'kept') return 0;
    if (work.content === undefined) throw new Error(`the commit ${id} was not read`);
    const object = this.make({ id, content: work.content }, tree, mapped);
    if (tree === undefined) await this.addEmptyTree(work.sink);
    await work.sink.add(object);
    this.folder.add(object.id, tree, mapped.parents);
    this.map.set(id, object.id);
    return 1;
  }

  private make(
    { id, content }: Pick<GitObject, 'id' | 'content'>,
    tree: ObjectId | undefined,
    { parents }: Extract<Mapped, { kind: 'kept' }>,
  ): GitObject {
    const { format, repository } = this.place;
    const rest = mirrorBody(parseCommit(content).rest, id, repository);
    return makeObject(format, 'commit', formatCommit({ tree: tree ?? this.empty, parents, rest }));
  }

  private async addEmptyTree(sink: ObjectSink): Promise<void> {
    if (this.hasEmptyTree) return;
    this.hasEmptyTree = true;
    await sink.add(makeObject(this.place.format, 'tree', Buffer.alloc(0)));
  }

  private learn(id: ObjectId, { tree, parents }: { readonly tree: ObjectId; readonly parents: readonly ObjectId[] }): void {
    this.folder.add(id, tree === this.empty ? undefined : tree, parents);
  }
}

/** Lists the commits of `revisions`, as in `git rev-list`, parents first. Throws `GIT_FAILED`. */
export async function listCommits(git: Git, revisions: readonly string[]): Promise<readonly ListedCommit[]> {
  const output = await git.text(['rev-list', '--topo-order', '--reverse', '--parents', '--stdin'], { input: `${revisions.join('\n')}\n` });
  return output === '' ? [] : output.split('\n').map(parseListed);
}

function parseListed(line: string): ListedCommit {
  const [id, ...parents] = line.split(' ') as [ObjectId, ...ObjectId[]];
  return { id, parents };
}
