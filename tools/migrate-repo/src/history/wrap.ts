import { emptyTreeId, type GitObject, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { FOLDER_MODE, formatTree, parseTree, type TreeEntry, textAsName } from '@tributary/git/tree';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';

/** A root tree that contains only another tree, at a path. */
export interface WrappedTree {
  readonly root: ObjectId;
  /** From the innermost to the root; one for each name in the path. */
  readonly created: readonly GitObject[];
}

/** Wraps `tree` under `path`. An empty tree stays empty, because git has no empty folders. So wrapping is one-to-one. */
export function wrapTree(format: ObjectFormat, path: RepoPath, tree: ObjectId): WrappedTree {
  if (tree === emptyTreeId(format)) return { root: tree, created: [makeObject(format, 'tree', Buffer.alloc(0))] };
  const created: GitObject[] = [];
  let id = tree;
  for (const name of namesOf(path).reverse()) {
    const object = makeObject(format, 'tree', formatTree([{ mode: FOLDER_MODE, name, id }]));
    created.push(object);
    id = object.id;
  }
  return { root: id, created };
}

/** Returns the content of a tree that was read before. */
export type KnownTrees = (id: ObjectId) => Buffer | undefined;

/** Returns the tree under `path` in a root tree that contains nothing else; `undefined` if it contains anything else. */
export function unwrapTree(
  format: ObjectFormat,
  path: RepoPath,
  wrapped: { readonly root: ObjectId; readonly trees: KnownTrees },
): ObjectId | undefined {
  if (wrapped.root === emptyTreeId(format)) return wrapped.root;
  let id = wrapped.root;
  for (const name of namesOf(path)) {
    const entry = onlyEntry(format, wrapped.trees(id));
    if (entry === undefined || entry.name !== name || entry.mode !== FOLDER_MODE) return undefined;
    id = entry.id;
  }
  return id === emptyTreeId(format) ? undefined : id;
}

/** Returns the next tree to read on the way to a path: the only entry, if it is a folder; else `undefined`. */
export function stepInto(format: ObjectFormat, content: Buffer): ObjectId | undefined {
  const entry = onlyEntry(format, content);
  return entry?.mode === FOLDER_MODE ? entry.id : undefined;
}

function onlyEntry(format: ObjectFormat, content: Buffer | undefined): TreeEntry | undefined {
  const entries = content === undefined ? [] : parseTree(format, content);
  return entries.length === 1 ? entries[0] : undefined;
}

function namesOf(path: RepoPath): string[] {
  return path.split('/').map(textAsName);
}
