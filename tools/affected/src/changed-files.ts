import type { ChangedFile } from '@tributary/model/changeset';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';

/** Returns changed files with paths relative to the project's root; files outside it begin with `../`. */
export function relativeToProject(files: readonly ChangedFile[], project: RepoFolder): readonly ChangedFile[] {
  if (project === '') return files;
  const up = '../'.repeat(project.split('/').length);
  return files.map((file) => ({
    ...file,
    path: (isInside(file.path, project) ? relativeTo(project, file.path) : `${up}${file.path}`) as RepoPath,
  }));
}

/**
 * Tells whether the changes can alter the graph or resolutions, so that both commits must be read exactly. Such files are manifests, the
 * lockfile, settings, patches and submodules. A manifest counts anywhere, because it may make a folder a workspace.
 */
export function needsExactReading(files: readonly ChangedFile[]): boolean {
  return files.some(({ path, kind }) => kind === 'submodule' || EXACT_FILES.has(path) || isManifest(path) || isPatch(path));
}

/**
 * Tells whether the changes can alter the set of workspaces or their tasks. Such files are manifests, turbo.json, and added or deleted
 * files at the root, which may be the lockfile of another package manager.
 */
export function mayChangeTasks(files: readonly ChangedFile[]): boolean {
  return files.some(({ path, status }) => SAYS_TASKS.test(path) || (status !== 'modified' && !path.includes('/')));
}

const SAYS_TASKS = /(?:^|\/)(?:package\.json|turbo\.jsonc?)$/;

/** Files at the root. turbo.json is among them because rules come from it, and those of both commits count. */
const EXACT_FILES: ReadonlySet<string> = new Set(['yarn.lock', '.yarnrc.yml', 'turbo.json', 'turbo.jsonc']);

export function isManifest(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}

/** Tells whether a file has settings that are compared by value if it is outside of all workspaces: a tsconfig, or turbo.json. */
export function isComparedByValue(path: string): boolean {
  return /(?:^|\/)(?:[jt]sconfig[^/]*\.json|turbo\.jsonc?)$/.test(path);
}

/** Tells whether a CI engine may read a file: such files are hidden, or at the top of the repository. A quick check by path only. */
export function mayBeOfCi(path: string): boolean {
  return /^(?:\.\.\/)*(?:\.(?!yarn\/|yarnrc)|[^/.]+$|[^/]+\.ya?ml$)/.test(path);
}

/** Tells whether a file is a script or an action that CI may call, although a workspace owns it. */
export function isScript(path: string): boolean {
  return /\.(?:sh|bash|ps1|py)$|(?:^|\/)(?:action\.ya?ml|[a-z][\w-]*)$/.test(path);
}

/** Tells whether a file is a patch, which Yarn applies to a package after fetching it. */
export function isPatch(path: string): boolean {
  return path.endsWith('.patch') || path.startsWith('.yarn/patches/');
}
