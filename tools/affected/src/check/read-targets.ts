import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isCodeFile, isSettingsFile } from '@tributary/references/file-kinds';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { type CheckedProject, filesAt } from './project.js';
import { type LinkTexts, passLinks } from './symlinks.js';

/** The target of an edge in tributary.json: a workspace by index, or a file or folder. */
export type ReadTarget = { readonly kind: 'workspace'; readonly member: number } | { readonly kind: 'file'; readonly path: RepoFolder };

/** The tracked files that a path resolves to, as a module, or as a folder that is read completely. */
interface Resolved {
  readonly kind: 'files' | 'folder';
  readonly files: readonly RepoPath[];
}

export function resolveFiles(project: CheckedProject, path: RepoFolder): Resolved {
  const found = filesAt(project, path);
  const exact = found.filter((file) => file === (path as string));
  if (exact.length > 0) return { kind: 'files', files: exact };
  const below = `${path}/`;
  const extended = found.filter((file) => !file.startsWith(below));
  if (extended.length > 0) return { kind: 'files', files: extended };
  const index = found.filter((file) => /^(index(\.d)?\.\w+|package\.json)$/.test(file.slice(below.length)));
  return index.some((file) => !file.endsWith('/package.json')) ? { kind: 'files', files: index } : { kind: 'folder', files: found };
}

/** Returns the links on a path, and its final target. */
export function landingsOf(links: LinkTexts, path: RepoFolder): readonly RepoFolder[] {
  const { passed, end } = passLinks(links, path);
  return [...passed.map((link) => link as string as RepoFolder), ...(end === undefined ? [] : [end])];
}

/**
 * Returns the edges needed for a path that a workspace reads. For code of another workspace that is the workspace, because the code uses
 * the rest of it and its dependencies. For data it is the files. Empty if nothing is tracked there outside the workspaces.
 */
export function targetsAt(project: CheckedProject, path: RepoFolder): readonly ReadTarget[] {
  const resolved = resolveFiles(project, path);
  const owner = owningMember(project.graph, path) ?? 0;
  const isOthers = owner !== 0;
  if (isOthers && (project.graph.byPath.has(path) || resolved.files.length === 0 || resolved.files.some(hasImports)))
    return [{ kind: 'workspace', member: owner }];
  if (resolved.files.length === 0) return [];
  if (resolved.kind === 'folder') return [{ kind: 'file', path: path === '' ? ('.' as RepoFolder) : path }];
  return resolved.files.map((file) => ({ kind: 'file', path: file as string as RepoFolder }));
}

/** Excludes manifests, which are data for their readers. */
function hasImports(file: RepoPath): boolean {
  return isCodeFile(file) || (isSettingsFile(file) && !/(^|\/)package\.json$/.test(file));
}
