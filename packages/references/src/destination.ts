import { isInside, type RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { NamedPath } from './own-references.js';
import { folderOf, ownerOf, resolveFiles, type Tree } from './tree.js';

/** The owner of root files: paths are relative to no workspace. */
export const NOBODY = -1;

export function readersOf({ graph, root, byName }: Tree, from: number, { reader }: NamedPath): readonly number[] {
  if (reader === undefined) return [from];
  if (reader === '*') return [...graph.members.keys()].filter((member) => member !== root);
  const member = byName.get(reader);
  return member === undefined ? [] : [member];
}

/** Returns where a path leads for a workspace; `undefined` if that is inside of it, or nowhere. */
export function destinationOf(tree: Tree, from: number, { paths, fromReader, form, kind, key }: NamedPath): RepoFolder | undefined {
  const isOwn = (path: RepoFolder): boolean =>
    from !== NOBODY && ownerOf(tree, path) === from && !tree.above.has(path) && !(kind !== 'path' && tree.outer.has(path));
  const all = fromReader === undefined ? paths : [resolveFolder(folderOf(tree, from), fromReader) ?? ('' as RepoFolder)];
  const found = all.find((path) => tree.graph.byPath.has(path) || resolveFiles(tree, path).files.length > 0);
  if (found !== undefined && isOwn(found)) return undefined;
  const path = found ?? (form === 'text' ? undefined : all.find((one) => !isOwn(one)));
  // A folder above the own one tells nothing, unless a pattern follows. With patterns, settings of the root name the members.
  const tellsNothing = kind === 'path' || kind === 'perhaps' || (from === NOBODY && key !== undefined);
  return path === undefined || (tellsNothing && isAbove(tree, from, path)) ? undefined : path;
}

function isAbove(tree: Tree, from: number, path: RepoFolder): boolean {
  return tree.above.has(path) && (from === NOBODY || isInside(folderOf(tree, from), path));
}

/**
 * A place is opaque if what it reads is not known to be in one folder: that of another workspace, or one without workspaces. In the own
 * folder it may read the workspaces inside.
 */
export function isOpaque(tree: Tree, from: number, { named, path }: { readonly named: NamedPath; readonly path: RepoFolder }): boolean {
  return named.kind === 'opaque' && (isAbove(tree, from, path) || ownerOf(tree, path) === from);
}
