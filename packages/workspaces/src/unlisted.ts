import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from './dependency-graph.js';
import { parentFolder } from './folders.js';
import { parseManifest } from './manifest.js';
import { buildFolderMatcher } from './patterns.js';

/** A workspace, or the root, with the text of its manifest. */
export interface Holder {
  readonly path: RepoFolder;
  readonly text: string;
}

/**
 * Returns the folders above some files that may be workspaces missing from the lockfile: a pattern of one of the manifests covers them. It
 * is not known here whether they contain a manifest. Throws `MANIFEST_INVALID`.
 */
export function unlistedFolders(
  files: readonly ChangedFile[],
  holders: readonly Holder[],
  { byPath }: Pick<DependencyGraph, 'byPath'>,
): readonly RepoFolder[] {
  const matchers = holders.map(({ path, text }) =>
    buildFolderMatcher(parseManifest(text, path === '' ? 'package.json' : `${path}/package.json`).workspaces, path),
  );
  const folders = new Set(files.flatMap(({ path }) => (path.startsWith('../') ? [] : foldersAbove(path))));
  return [...folders].filter((folder) => !byPath.has(folder) && matchers.some((isCovered) => isCovered(folder)));
}

function foldersAbove(file: string): readonly RepoFolder[] {
  const folder = parentFolder(file);
  return folder === '' ? [] : [folder, ...foldersAbove(folder)];
}
