import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { emptyTreeId, type GitObject, makeObject, type ObjectFormat } from './object-id.js';
import { FOLDER_MODE, formatTree, isFolder, parseTree, type TreeEntry, textAsName } from './tree.js';

/** The change of one path in a tree; `undefined` removes it. */
export interface TreeEdit {
  readonly path: RepoPath;
  readonly entry: { readonly mode: string; readonly id: ObjectId } | undefined;
}

/** The root of an edited tree and every tree object that is new. */
export interface EditedTree {
  readonly root: ObjectId;
  readonly created: readonly GitObject[];
}

/** Returns the content of a tree, from the repository or created just before. */
export type ReadTree = (id: ObjectId) => Promise<Buffer>;

/**
 * Returns a tree with one path changed. Parent folders are created and removed as needed. Only the trees along the path are read and
 * written.
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
    // A file has nothing below it to remove.
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
