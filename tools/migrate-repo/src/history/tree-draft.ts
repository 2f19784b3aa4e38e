import type { Git } from '@tributary/git/git';
import type { GitObject, ObjectFormat } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { readObjects } from '@tributary/git/objects';
import { editTree, type TreeEdit } from '@tributary/git/tree-editor';
import type { ObjectId } from '@tributary/model/ids';

/** A tree that is edited path by path. */
export class TreeDraft {
  root: ObjectId;
  private readonly created = new Map<ObjectId, GitObject>();
  private readonly view: Git;
  private readonly format: ObjectFormat;

  constructor(view: Git, format: ObjectFormat, root: ObjectId) {
    this.view = view;
    this.format = format;
    this.root = root;
  }

  /** Applies an edit. Throws `GIT_FAILED`. */
  async edit(edit: TreeEdit): Promise<void> {
    const edited = await editTree(this.format, (id) => this.read(id), { root: this.root, edit });
    for (const object of edited.created) this.created.set(object.id, object);
    this.root = edited.root;
  }

  /** Writes the new trees. Throws `GIT_FAILED`, `DISK_FULL`. */
  async store(git: Git): Promise<void> {
    const writer = new ObjectWriter(git, this.format);
    for (const object of this.created.values()) await writer.add(object);
    await writer.finish();
  }

  private async read(id: ObjectId): Promise<Buffer> {
    const [object] = this.created.has(id) ? [this.created.get(id)] : await readObjects(this.view, [id]);
    if (object === undefined) throw new Error(`the tree ${id} does not exist`);
    return object.content;
  }
}
