import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import type { Edits, ImportedPackage, LockedVersions, Monorepo } from './project.js';

/** The parts of a project. */
export interface ProjectParts {
  /** Every file, including those whose text is unknown. */
  readonly paths: ReadonlySet<RepoPath>;
  readonly texts: ReadonlyMap<RepoPath, string>;
  readonly importedPackages: readonly ImportedPackage[];
  readonly rootLock: LockedVersions | undefined;
  readonly released: Monorepo['released'];
}

/** Builds a project from its parts. Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`. */
export function buildProject({ paths, texts, importedPackages, rootLock, released }: ProjectParts): Monorepo {
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

/** Returns the parts after a step. */
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

/** Whether a file is a manifest. Those in node_modules are not workspaces. */
export function isManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path);
}

export function manifestIn(folder: RepoFolder): RepoPath {
  return (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath;
}
