import type { ChangedFile } from '@tributary/model/changeset';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';

/** Changed files as the project sees them: paths from its root, `../` in front of what lies outside of it. */
export function relativeToProject(files: readonly ChangedFile[], project: RepoFolder): readonly ChangedFile[] {
  if (project === '') return files;
  const up = '../'.repeat(project.split('/').length);
  return files.map((file) => ({
    ...file,
    path: (isInside(file.path, project) ? relativeTo(project, file.path) : `${up}${file.path}`) as RepoPath,
  }));
}

/**
 * Whether the changes can alter the graph, or what packages resolve to, so that both commits must be read exactly: a manifest, the
 * lockfile, settings, a patch, a submodule. A manifest anywhere, for it may make a folder a workspace.
 */
export function needsExactReading(files: readonly ChangedFile[]): boolean {
  return files.some(({ path, kind }) => kind === 'submodule' || EXACT_FILES.has(path) || isManifest(path) || isPatch(path));
}

/**
 * Whether the changes can alter which workspaces there are, and which tasks they have: a manifest, a turbo.json, or a file at the root
 * that came or went, which may be the lockfile of another package manager.
 */
export function mayChangeTasks(files: readonly ChangedFile[]): boolean {
  return files.some(({ path, status }) => SAYS_TASKS.test(path) || (status !== 'modified' && !path.includes('/')));
}

const SAYS_TASKS = /(?:^|\/)(?:package\.json|turbo\.jsonc?)$/;

/** At the root. Rules read turbo.json, and those of both sides count. */
const EXACT_FILES: ReadonlySet<string> = new Set(['yarn.lock', '.yarnrc.yml', 'turbo.json', 'turbo.jsonc']);

export function isManifest(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}

/** Whether a CI engine may read a file: those of all engines are hidden, or stand at the top of the repository. A quick look. */
export function mayBeOfCi(path: string): boolean {
  return /^(?:\.\.\/)*(?:\.(?!yarn\/|yarnrc)|[^/.]+$|[^/]+\.ya?ml$)/.test(path);
}

/** A change of a package that is applied after it was fetched. */
export function isPatch(path: string): boolean {
  return path.endsWith('.patch') || path.startsWith('.yarn/patches/');
}
