import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { forTasks, tasksOf } from './apart-scripts.js';
import { namedIn } from './binaries.js';
import { destinationOf, isOpaque, NOBODY, readersOf } from './destination.js';
import { push } from './groups.js';
import type { Collected, NamedPath, OwnReferences, Place } from './own-references.js';
import { type Reading, ReadingSearch } from './reading-search.js';
import { folderOf, landingsOf, memberNamed, ownerOf, packageOf, resolvedAt, resolveFiles, type Tree } from './tree.js';

/** A file outside of all workspaces, or a workspace, with the place that refers to something. */
export interface Referrer {
  readonly by: { readonly kind: 'workspace'; readonly member: number } | { readonly kind: 'file'; readonly file: RepoPath };
  readonly key: string | undefined;
  readonly place: Place;
  /** As in `NamedPath`. */
  readonly isVague?: true;
  readonly ending?: string;
}

/** Who refers to what in a commit. */
export interface ReferenceMap {
  readonly tree: Tree;
  readonly collected: Collected;
  /** Once per reader and target, by the shortest chain; ordered by reader. */
  readonly readings: readonly Reading[];
  /** By file or folder, who names it. A folder is read completely. */
  readonly files: ReadonlyMap<string, readonly Referrer[]>;
  /** By folder, the places that may read anything below it. */
  readonly opaque: ReadonlyMap<string, readonly Referrer[]>;
  /** By file or folder, who names it if programs start in the project's root. */
  readonly perhaps: ReadonlyMap<string, readonly Referrer[]>;
  /** By workspace, the files outside of all workspaces that name it. */
  readonly members: ReadonlyMap<number, readonly Referrer[]>;
}

/** Resolves what was collected, for tasks of a kind. Never throws. */
export function buildReferenceMap(tree: Tree, all: Collected, kind: TaskKind = 'test'): ReferenceMap {
  const tasks = tasksOf(all, kind);
  const workspaces = new Map([...all.workspaces].map(([member, own]) => [member, forTasks(own, tasks)]));
  const collected: Collected = { ...all, workspaces };
  const files = new Map<string, Referrer[]>();
  const opaque = new Map<string, Referrer[]>();
  const perhaps = new Map<string, Referrer[]>();
  const members = new Map<number, Referrer[]>();
  const addPaths = (by: Referrer['by'], from: number, paths: readonly NamedPath[]): void => {
    for (const named of paths) {
      const referrer = { by, key: named.key, place: named.place, ...(named.ending === undefined ? {} : { ending: named.ending }) };
      for (const member of readersOf(tree, from, named)) {
        const path = destinationOf(tree, member, named);
        if (path === undefined) continue;
        const reader = member === from ? referrer : { ...referrer, by: { kind: 'workspace', member } as const };
        if (isOpaque(tree, member, { named, path })) push(opaque, path, named.isVague === true ? { ...reader, isVague: true } : reader);
        else if (named.kind === 'perhaps') for (const at of landedAt(tree, path)) push(perhaps, at, reader);
        else for (const at of landedAt(tree, path)) push(files, at, reader);
        const owner = ownerOf(tree, path);
        if (by.kind === 'file' && owner !== tree.root) push(members, owner, reader);
      }
    }
  };
  const addFiles = (by: Referrer['by'], named: OwnReferences['files']): void => {
    for (const { name, place, isFolder, ending } of named) {
      const member = memberNamed(tree, name);
      if (member === undefined) continue;
      if (ending !== undefined) {
        push(files, folderOf(tree, member), { by, key: undefined, place, ending });
        continue;
      }
      const path = `${folderOf(tree, member)}${name.slice(packageOf(name)?.length)}`.replace(/^\//, '') as RepoFolder;
      for (const at of landedAt(tree, path)) push(files, at, { by, key: undefined, place });
      // What is built there is made of a file with that name.
      if (resolveFiles(tree, path).files.length === 0)
        push(files, folderOf(tree, member), { by, key: undefined, place, ending: path.slice(path.lastIndexOf('/')) });
      if (isFolder === true) push(files, folderOf(tree, member), { by, key: undefined, place });
    }
  };
  for (const [member, own] of collected.workspaces) {
    addPaths({ kind: 'workspace', member }, member, own.paths);
    addFiles({ kind: 'workspace', member }, own.files);
  }
  for (const [file, own] of collected.rootFiles) {
    addFiles({ kind: 'file', file: file as RepoPath }, own.files);
    addPaths({ kind: 'file', file: file as RepoPath }, NOBODY, own.paths);
    for (const { name, key, place } of own.packages) {
      const member = memberNamed(tree, name);
      if (member !== undefined) push(members, member, { by: { kind: 'file', file: file as RepoPath }, key, place });
    }
  }
  const manifest = collected.workspaces.get(tree.root)?.manifest;
  for (const { name, text, line } of manifest?.scripts ?? [])
    for (const member of namedIn(text, collected, tree)) {
      const place = { file: 'package.json' as RepoPath, line, specifier: text };
      push(members, member, { by: { kind: 'file', file: place.file }, key: `scripts.${name}`, place });
    }
  for (const [link, text] of tree.links) {
    const owner = ownerOf(tree, link);
    const place = { file: link as RepoPath, specifier: text };
    const by = owner === tree.root ? ({ kind: 'file', file: link as RepoPath } as const) : ({ kind: 'workspace', member: owner } as const);
    for (const at of landingsOf(tree, link as string as RepoFolder).slice(1)) push(files, at, { by, key: undefined, place });
  }
  return { tree, collected, readings: new ReadingSearch(tree, collected, tasks).all(), files, opaque, perhaps, members };
}

function landedAt(tree: Tree, path: RepoFolder): readonly string[] {
  return [...new Set(landingsOf(tree, path).flatMap((landed) => [landed, ...resolvedAt(tree, landed)]))];
}
