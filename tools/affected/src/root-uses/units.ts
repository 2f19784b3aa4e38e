import type { RepoPath } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import { fileSubject, folderSubject, type Subject } from './subject.js';
import { isFoundByTools } from './uses.js';

/** A file of the root, or a folder of it with all that is below: what one rule is about. */
export interface Unit {
  readonly kind: 'file' | 'folder';
  readonly path: RepoPath;
}

/** The units that a file of the root is in, the widest first; none that holds a workspace, and none that a glob could not name. */
export function unitsOf(file: RepoPath, graph: DependencyGraph): readonly Unit[] {
  if (/[*?[\]{}()!+@\\]/.test(file)) return foldersOf(file, graph).filter(({ path }) => !/[*?[\]{}()!+@\\]/.test(path));
  return [...foldersOf(file, graph), { kind: 'file', path: file }];
}

function foldersOf(file: RepoPath, { members }: DependencyGraph): readonly Unit[] {
  const folders: Unit[] = [];
  for (let folder = parentFolder(file); folder !== ''; folder = parentFolder(folder)) folders.unshift({ kind: 'folder', path: folder });
  return folders.filter(({ path }) => !members.some((member) => `${member.path}/`.startsWith(`${path}/`)));
}

export function globOf({ kind, path }: Unit): string {
  return kind === 'folder' ? `${path}/**` : path;
}

/** `undefined` for a glob that is not about one file or one folder. */
export function unitOfGlob(glob: string): Unit | undefined {
  const path = glob.replace(/\/\*\*$/, '');
  if (/[*?[\]{}()!+@\\]/.test(path)) return undefined;
  return { kind: path === glob ? 'file' : 'folder', path: path as RepoPath };
}

export function subjectOfUnit({ kind, path }: Unit): Subject {
  return kind === 'folder' ? folderSubject(path) : fileSubject(path);
}

/** Tools look for it by themselves, so nobody names it. */
export function isConventional({ kind, path }: Unit): boolean {
  return isFoundByTools(kind === 'folder' ? `${path}/` : path);
}
