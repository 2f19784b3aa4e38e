import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from './folders.js';
import { type Manifest, parseManifest } from './manifest.js';
import type { MemberGraph } from './members.js';
import { buildFolderMatcher } from './patterns.js';

/**
 * Whether a file may lie in a workspace that the lockfile does not name yet: one of the folders above it is no member, though a pattern of
 * the root manifest covers it. `yarn install` was not run since it came. Throws `MANIFEST_INVALID`.
 */
export function liesInUnlisted(files: readonly ChangedFile[], rootManifest: string | undefined, graph: MemberGraph): boolean {
  return unlistedFolders(files, rootManifest, graph).length > 0;
}

/** The folders above the files that may be such workspaces; whether they hold a manifest is not known here. Throws `MANIFEST_INVALID`. */
export function unlistedFolders(
  files: readonly ChangedFile[],
  rootManifest: string | undefined,
  graph: MemberGraph,
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
