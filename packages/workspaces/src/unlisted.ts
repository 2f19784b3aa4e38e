import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from './dependency-graph.js';
import { parentFolder } from './folders.js';
import { type Manifest, parseManifest } from './manifest.js';
import { buildFolderMatcher } from './patterns.js';

/**
 * The folders above some files that may be workspaces which the lockfile does not name yet: a pattern of the root manifest covers them.
 * Whether they hold a manifest is not known here. Throws `MANIFEST_INVALID`.
 */
export function unlistedFolders(
  files: readonly ChangedFile[],
  rootManifest: string | undefined,
  graph: DependencyGraph,
): readonly RepoFolder[] {
  const manifest: Manifest = parseManifest(rootManifest ?? '', 'package.json');
  const isCovered = buildFolderMatcher(manifest.workspaces, '');
  const folders = new Set(files.flatMap(({ path }) => (path.startsWith('../') ? [] : foldersAbove(path))));
  return [...folders].filter((folder) => !graph.byPath.has(folder) && isCovered(folder));
}

function foldersAbove(file: string): readonly RepoFolder[] {
  const folder = parentFolder(file);
  return folder === '' ? [] : [folder, ...foldersAbove(folder)];
}
