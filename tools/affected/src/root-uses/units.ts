import type { RepoPath } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import { fileSubject, folderSubject, type SearchSubject } from './subject.js';
import { isFoundByTools } from './uses.js';

/** A file of the root, or a folder of it with everything below: the unit of a rule. */
export interface Unit {
  readonly kind: 'file' | 'folder';
  readonly path: RepoPath;
}

/**
 * Returns the units that contain a root file, the widest first. It excludes those that contain a workspace, and those that a glob cannot
 * name.
 */
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

/** Returns `undefined` for a glob that does not match exactly one file or one folder. */
export function unitOfGlob(glob: string): Unit | undefined {
  const path = glob.replace(/\/\*\*$/, '');
  if (/[*?[\]{}()!+@\\]/.test(path)) return undefined;
  return { kind: path === glob ? 'file' : 'folder', path: path as RepoPath };
}

export function subjectOfUnit({ kind, path }: Unit): SearchSubject {
  return kind === 'folder' ? folderSubject(path) : fileSubject(path);
}

/** Tells whether tools find the file by themselves, so that nothing names it. */
export function isConventional({ kind, path }: Unit): boolean {
  return isFoundByTools(kind === 'folder' ? `${path}/` : path);
}
