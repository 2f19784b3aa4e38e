import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { emptyTreeId, type GitObject, makeObject, type ObjectFormat } from './object-id.js';
import { FOLDER_MODE, formatTree, isFolder, parseTree, type TreeEntry, textAsName } from './tree.js';

/** What to do to one path of a tree; `undefined` takes it away. */
export interface TreeEdit {
  readonly path: RepoPath;
  readonly entry: { readonly mode: string; readonly id: ObjectId } | undefined;
}

/** The root of an edited tree and every tree object that did not exist before. */
export interface EditedTree {
  readonly root: ObjectId;
  readonly created: readonly GitObject[];
}

/** Answers with the content of a tree: from the repository, or one that was created a moment ago. */
export type ReadTree = (id: ObjectId) => Promise<Buffer>;

/**
 * A tree with one path changed; folders on the way appear and disappear as needed. No other object is read or written than the trees on
 * the way to the path.
 */
export async function editTree(
  format: ObjectFormat,
  read: ReadTree,
  change: { readonly root: ObjectId; readonly edit: TreeEdit },
): Promise<EditedTree> {
  const created: GitObject[] = [];
  const write = (entries: readonly TreeEntry[]): ObjectId => {
    const object = makeObject(format, 'tree', formatTree(entries));
    created.push(object);
    return object.id;
  };
  const inFolder = async (folder: ObjectId | undefined, names: readonly string[]): Promise<ObjectId | undefined> => {
    const entries = folder === undefined || folder === emptyTreeId(format) ? [] : parseTree(format, await read(folder));
    const [name = '', ...below] = names;
    const present = entries.find((entry) => entry.name === name);
    const others = entries.filter((entry) => entry.name !== name);
    const next = below.length === 0 ? leafOf(change.edit, name) : await folderOf(present, name, below);
    if (next === undefined && others.length === 0) return undefined;
    return write(next === undefined ? others : [...others, next]);
  };
  const folderOf = async (present: TreeEntry | undefined, name: string, below: readonly string[]): Promise<TreeEntry | undefined> => {
    // Nothing is below a file, so nothing is to be taken away there.
    if (present !== undefined && !isFolder(present) && change.edit.entry === undefined) return present;
    const id = await inFolder(present !== undefined && isFolder(present) ? present.id : undefined, below);
    return id === undefined ? undefined : { mode: FOLDER_MODE, name, id };
  };
  const root = await inFolder(change.root, change.edit.path.split('/').map(textAsName));
  return { root: root ?? write([]), created };
}

function leafOf(edit: TreeEdit, name: string): TreeEntry | undefined {
  return edit.entry === undefined ? undefined : { ...edit.entry, name };
}
