import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import type { Edits, ImportedPackage, LockedVersions, Project } from './project.js';

/** What a project is made of. */
export interface ProjectParts {
  /** Every file, also those whose text is not known. */
  readonly paths: ReadonlySet<RepoPath>;
  readonly texts: ReadonlyMap<RepoPath, string>;
  readonly importedPackages: readonly ImportedPackage[];
  readonly rootLock: LockedVersions | undefined;
  readonly released: Project['released'];
}

/** Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`. */
export function buildProject({ paths, texts, importedPackages, rootLock, released }: ProjectParts): Project {
  const folders = [...texts.keys()].filter(isManifest).map(parentFolder);
  const readManifest = (folder: RepoFolder): string => texts.get(manifestIn(folder)) ?? '';
  return {
    files: { paths: [...paths].sort(), read: (path) => texts.get(path) },
    workspaces: discoverWorkspaces({ folders, readManifest }),
    importedPackages,
    rootLock,
    released,
  };
}

/** The parts after a step. */
export function withEdits({ paths, texts, ...rest }: ProjectParts, edits: Edits): ProjectParts {
  const [newPaths, newTexts] = [new Set(paths), new Map(texts)];
  for (const [path, text] of edits) {
    if (text === undefined) {
      newPaths.delete(path);
      newTexts.delete(path);
    } else {
      newPaths.add(path);
      newTexts.set(path, text);
    }
  }
  return { ...rest, paths: newPaths, texts: newTexts };
}

/** What lies in node_modules is nobody's workspace. */
export function isManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path);
}

export function manifestIn(folder: RepoFolder): RepoPath {
  return (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath;
}
