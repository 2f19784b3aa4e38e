import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import { isCodeFile } from './file-kinds.js';
import { type LinkTexts, passLinks } from './links.js';

/** The files of a commit, and the workspaces that own them. All paths are relative to the project's root. */
export interface Tree {
  readonly graph: DependencyGraph;
  /** The root's index. */
  readonly root: number;
  readonly byName: ReadonlyMap<string, number>;
  /** All tracked paths, files and symbolic links; sorted. */
  readonly sorted: readonly RepoPath[];
  readonly links: LinkTexts;
  /** The folders that contain workspaces without being one. */
  readonly above: ReadonlySet<string>;
  /** The folders of workspaces that contain others. */
  readonly outer: ReadonlySet<string>;
  /** What paths resolved to so far. */
  readonly resolved: Map<string, Resolved>;
}

export function buildTree(graph: DependencyGraph, tracked: readonly RepoPath[], links: LinkTexts): Tree {
  const above = new Set<string>(['']);
  const outer = new Set<string>();
  for (const { path } of graph.members)
    for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder))
      (graph.byPath.has(folder) ? outer : above).add(folder);
  return {
    graph,
    root: graph.byPath.get('') ?? -1,
    byName: new Map(graph.members.map(({ name }, member) => [name, member])),
    sorted: [...tracked].sort(),
    links,
    above,
    outer,
    resolved: new Map(),
  };
}

export function folderOf({ graph }: Pick<Tree, 'graph'>, member: number): RepoFolder {
  return graph.members[member]?.path ?? '';
}

export function ownerOf({ graph, root }: Tree, path: string): number {
  return owningMember(graph, path) ?? root;
}

/** Returns the index of the workspace that a module name leads to, if any: `@acme/ui/button` -> that of `@acme/ui`. */
export function memberNamed({ byName }: Pick<Tree, 'byName'>, specifier: string): number | undefined {
  return byName.get(packageOf(specifier) ?? '');
}

/** Removes what bundlers put around the name of a module: `!!raw-loader!a`, `bundle-text:./a`, `a?raw`. */
export function cleanModule(specifier: string): string {
  return specifier.replace(/^.*!|^[\w-]+:(?=\.)/, '').replace(/(?!^)[?#].*$/s, '');
}

/** `@acme/ui/button` -> `@acme/ui` */
export function packageOf(specifier: string): string | undefined {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

/** Returns the tracked files that a path names: itself, itself with an extension, and everything below it. */
export function filesAt({ sorted }: Pick<Tree, 'sorted'>, path: RepoFolder): readonly RepoPath[] {
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const extended =
    bare === path ? [] : filesFrom(sorted, bare as RepoPath).filter((file) => file !== (path as string) && isExtended(file, bare));
  return [...filesFrom(sorted, path), ...extended];
}

function filesFrom(sorted: readonly RepoPath[], path: RepoFolder): readonly RepoPath[] {
  const found: RepoPath[] = [];
  for (let at = firstFrom(sorted, path); at < sorted.length; at++) {
    const file = sorted[at];
    if (file === undefined || !file.startsWith(path)) break;
    if (isInside(file, path) || isExtended(file, path)) found.push(file);
  }
  return found;
}

/** Tells whether it is `lib/a.ts` or `lib/a.d.ts` for `lib/a`. */
function isExtended(file: string, path: string): boolean {
  return file.startsWith(path) && /^(\.d)?\.\w+$/.test(file.slice(path.length));
}

function firstFrom(sorted: readonly string[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tracked files that a path resolves to, as a module, or as a folder that is read completely. */
interface Resolved {
  readonly kind: 'files' | 'folder';
  readonly files: readonly RepoPath[];
}

export function resolveFiles(tree: Tree, path: RepoFolder): Resolved {
  const known = tree.resolved.get(path) ?? findResolved(tree, path);
  tree.resolved.set(path, known);
  return known;
}

function findResolved(tree: Tree, path: RepoFolder): Resolved {
  if (path === '') return { kind: 'folder', files: tree.sorted };
  const found = filesAt(tree, path);
  const exact = found.filter((file) => file === (path as string));
  if (exact.length > 0) return { kind: 'files', files: exact };
  const below = `${path}/`;
  const extended = found.filter((file) => !file.startsWith(below));
  if (extended.length > 0) return { kind: 'files', files: extended };
  const index = found.filter((file) => /^(index(\.d)?\.\w+|package\.json)$/.test(file.slice(below.length)));
  return index.some((file) => !file.endsWith('/package.json')) ? { kind: 'files', files: index } : { kind: 'folder', files: found };
}

/** Returns the files of a path; none if it is a folder that is read completely. */
export function resolvedAt(tree: Tree, path: RepoFolder): readonly string[] {
  const resolved = resolveFiles(tree, path);
  return resolved.kind === 'files' ? resolved.files : [];
}

/** Returns the links on a path, and its final target. */
export function landingsOf({ links }: Pick<Tree, 'links'>, path: RepoFolder): readonly RepoFolder[] {
  const { passed, end } = passLinks(links, path);
  return [...passed.map((link) => link as string as RepoFolder), ...(end === undefined ? [] : [end])];
}

/** What a workspace reads: a workspace by index, or a file or folder. */
export type ReadTarget = { readonly kind: 'workspace'; readonly member: number } | { readonly kind: 'file'; readonly path: RepoFolder };

/**
 * Returns what a path in another workspace, or outside of all, leads to. For code of another workspace that is the workspace, because the
 * code uses the rest of it and its dependencies. For data it is the files. Empty if nothing is tracked there outside the workspaces.
 * `isWhole`: whoever names the folder of a workspace may read those inside, too.
 */
export function targetsAt(tree: Tree, path: RepoFolder, isWhole = false): readonly ReadTarget[] {
  const resolved = resolveFiles(tree, path);
  const owner = ownerOf(tree, path);
  const isOthers = owner !== tree.root;
  const inside = isOthers && (isWhole || path !== folderOf(tree, owner)) ? membersInside(tree, owner, path) : [];
  if (isOthers && (tree.graph.byPath.has(path) || resolved.files.length === 0 || resolved.files.some(isCodeFile)))
    return [owner, ...inside].map((member) => ({ kind: 'workspace', member }));
  if (resolved.files.length === 0) return [];
  if (resolved.kind === 'folder') return [{ kind: 'file', path: path === '' ? ('.' as RepoFolder) : path }];
  return resolved.files.map((file) => ({ kind: 'file', path: file as string as RepoFolder }));
}

/** Returns the workspaces in a folder of another one. */
function membersInside(tree: Tree, owner: number, path: RepoFolder): readonly number[] {
  if (!tree.outer.has(folderOf(tree, owner))) return [];
  return [...tree.graph.members.keys()].filter((member) => member !== owner && isInside(folderOf(tree, member), path));
}
