import type { Git } from '@tributary/git/git';
import { type GitObject, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { readObjects } from '@tributary/git/objects';
import { FOLDER_MODE } from '@tributary/git/tree';
import { editTree, type TreeEdit } from '@tributary/git/tree-editor';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { joinRepoPath, type RepoPath } from '@tributary/model/paths';
import type { Identity, TargetFacts } from '../plan/facts.js';
import { cleanUpMessage, mergeMessage, registerMessage } from '../plan/messages.js';
import type { PlannedPackage } from '../plan/plan.js';
import { formatCommitText, type SignCommit } from './commit-text.js';
import { markMade } from './made-mark.js';
import type { MovedHistory } from './move.js';

/** What a merge needs of a history. */
export type HistoryToMerge = Pick<MovedHistory, 'planned' | 'tip' | 'tree'>;

/** A history with the record for its merge commit. */
export interface MergeOrder {
  readonly history: HistoryToMerge;
  readonly record: ImportRecord;
  /** The number of its commits; `undefined` where nobody reads the message. */
  readonly commits: number | undefined;
}

/** The commits that the import of a history became on the branch. */
export interface ImportCommits {
  readonly merge: CommitId;
  readonly cleanUp: CommitId | undefined;
  readonly registration: CommitId | undefined;
}

/** A merge with a known result. */
export interface JoinedTree {
  readonly name: string;
  readonly path: RepoPath;
  readonly tree: ObjectId;
  /** The second parent. */
  readonly tip: CommitId;
  readonly message: string;
}

/** Changes of files in a commit, by path relative to the root of the repository. `undefined` deletes the file. */
export type FileChanges = ReadonlyMap<RepoPath, { readonly mode: string; readonly content: Buffer } | undefined>;

/**
 * Builds a branch on top of the monorepo's commit. `view` reads the objects of the monorepo and of all histories;
 * `store` writes new objects to `out`. There is no work tree or index, so nothing can conflict. All methods throw
 * `GIT_FAILED`, `DISK_FULL`, and `SIGNING_FAILED` if commits are signed.
 */
export class BranchBuilder {
  tip: CommitId;
  private tree: ObjectId;
  private readonly created = new Map<ObjectId, GitObject>();
  /** The number of created objects that are already stored. */
  private stored = 0;
  private readonly git: { readonly view: Git; readonly out: Git };
  private readonly format: ObjectFormat;
  private readonly target: TargetFacts;
  private readonly identity: Identity;
  /** The packages that were merged. */
  private readonly merged: string[] = [];
  private readonly sign: SignCommit | undefined;

  /** `sign` is `undefined` if commits are not signed. */
  constructor(git: { readonly view: Git; readonly out: Git }, target: TargetFacts, identity: Identity, sign?: SignCommit) {
    this.git = git;
    this.format = target.format;
    this.target = target;
    this.identity = identity;
    this.sign = sign;
    this.tip = target.head;
    this.tree = target.headTree;
  }

  /** Imports a history: a merge commit, then the clean-up commit, then the registration, each only if there is something to do. */
  async import({ history, record, commits }: MergeOrder): Promise<ImportCommits> {
    const { planned } = history;
    const { name } = planned.source.request;
    this.merged.push(name);
    await this.edit({ path: planned.path, entry: { mode: FOLDER_MODE, id: history.tree } });
    const merge = await this.commit([this.tip, history.tip], mergeMessage(record, commits));
    for (const { path } of planned.cleanUp) await this.edit({ path: joinRepoPath(planned.path, path), entry: undefined });
    const cleanUp = planned.cleanUp.length === 0 ? undefined : await this.commit([this.tip], cleanUpMessage(name, planned.cleanUp));
    return { merge, cleanUp, registration: await this.register(planned) };
  }

  /** Merges a sync. `tree` is the resulting tree under the path. */
  async join({ name, path, tree, tip, message }: JoinedTree): Promise<CommitId> {
    this.merged.push(name);
    await this.edit({ path, entry: { mode: FOLDER_MODE, id: tree } });
    return this.commit([this.tip, tip], message);
  }

  /** Commits changes of files. There must be at least one. */
  async change(changes: FileChanges, message: string): Promise<CommitId> {
    for (const [path, file] of changes) {
      const entry = file && { mode: file.mode, id: this.keep(makeObject(this.format, 'blob', file.content)) };
      await this.edit({ path, entry });
    }
    return this.commit([this.tip], message);
  }

  /** Stores everything built so far, so that git can read it. Building can continue afterwards. */
  async store(): Promise<void> {
    const writer = new ObjectWriter(this.git.out, this.format);
    for (const object of [...this.created.values()].slice(this.stored)) await writer.add(object);
    await writer.finish();
    this.stored = this.created.size;
  }

  private async register({ rootManifestText, path, source }: PlannedPackage): Promise<CommitId | undefined> {
    if (rootManifestText === undefined) return undefined;
    const manifest = joinRepoPath(this.target.root, 'package.json');
    const mode = this.target.files.find((file) => file.path === manifest)?.mode ?? '100644';
    const changes: FileChanges = new Map([[manifest, { mode, content: Buffer.from(rootManifestText) }]]);
    return this.change(changes, registerMessage(source.request.name, path));
  }

  private async edit(edit: TreeEdit): Promise<void> {
    const edited = await editTree(this.format, (id) => this.readTree(id), { root: this.tree, edit });
    for (const object of edited.created) this.keep(object);
    this.tree = edited.root;
  }

  private async commit(parents: readonly CommitId[], text: string): Promise<CommitId> {
    const { tree, identity, sign } = this;
    const message = markMade({ tree, parents, author: identity.author, message: text }, this.merged);
    // git can only sign a commit whose tree and parents exist.
    if (sign !== undefined) await this.store();
    const unsigned = () => makeObject(this.format, 'commit', formatCommitText({ tree, parents, identity, message }));
    this.tip = this.keep(sign === undefined ? unsigned() : await sign({ tree, parents, message }));
    return this.tip;
  }

  private keep(object: GitObject): ObjectId {
    this.created.set(object.id, object);
    return object.id;
  }

  private async readTree(id: ObjectId): Promise<Buffer> {
    const created = this.created.get(id);
    if (created !== undefined) return created.content;
    const [object] = await readObjects(this.git.view, [id]);
    if (object === undefined) throw new Error(`the tree ${id} does not exist`);
    return object.content;
  }
}
