import { createHash } from 'node:crypto';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { type Manifest, parseManifest } from './manifest.js';
import { buildFolderMatcher } from './patterns.js';

/** A member of the monorepo. Paths are relative to the folder of the root manifest, whose own path is `''`. */
export interface Workspace {
  /** Unique among the workspaces of a project, as Yarn requires. */
  readonly name: WorkspaceName;
  readonly path: RepoFolder;
  readonly manifest: Manifest;
}

/** The source of manifests: a disk, a commit, a test. */
interface ManifestSource {
  /** Every folder with a package.json, `''` for the root; in any order. Folders that are not workspaces are allowed. */
  readonly folders: readonly RepoFolder[];
  /** Returns the text of the package.json in one of these folders; called once for each workspace and for no other folder. */
  readonly readManifest: (folder: RepoFolder) => string;
  /** The patterns of another tool, which replace `workspaces`. Such tools allow duplicate names. */
  readonly patterns?: readonly string[] | undefined;
}

/**
 * Finds the workspaces as Yarn does: from the root manifest down, including nested workspaces. A matched folder without a package.json is
 * not a workspace. A workspace without a name is named after its folder. Ordered by path, root first, so never empty. Names are unique,
 * unless `patterns` are given. Throws `TARGET_NOT_A_MONOREPO` without a root manifest, `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`.
 * Source: `Project.setupWorkspaces` and `Workspace.setup` of @yarnpkg/core.
 */
export function discoverWorkspaces(source: ManifestSource): readonly Workspace[] {
  const search = discoverInRounds(source.folders, source.patterns);
  let round = search.next();
  while (round.done !== true) {
    round = search.next(round.value.map((folder) => parseManifest(source.readManifest(folder), manifestPath(folder))));
  }
  return round.value;
}

/**
 * Like `discoverWorkspaces`, for callers that read many manifests at once. Yields the folders whose manifests it needs next, expects these
 * manifests in the same order, and returns the workspaces. Usually there are two rounds; a manifest may name further workspaces.
 */
export function* discoverInRounds(
  allFolders: readonly RepoFolder[],
  patterns?: readonly string[],
): Generator<readonly RepoFolder[], readonly Workspace[], readonly Manifest[]> {
  const folders = [...new Set(allFolders)].sort();
  if (!folders.includes(''))
    throw new ToolError({ code: 'TARGET_NOT_A_MONOREPO', message: 'The root of the project has no package.json.' });
  const found = new Map<RepoFolder, Workspace>();
  let wanted: readonly RepoFolder[] = [''];
  while (wanted.length > 0) {
    const manifests: readonly Manifest[] = yield wanted;
    const workspaces = wanted.flatMap((path, at) => workspaceOf(path, manifests[at], patterns));
    for (const workspace of workspaces) found.set(workspace.path, workspace);
    wanted = namedBy(workspaces, folders).filter((folder) => !found.has(folder));
  }
  const workspaces = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  if (patterns === undefined) refuseDuplicates(workspaces);
  return workspaces;
}

/** Returns the folders that the patterns of some workspaces match, each once. */
function namedBy(workspaces: readonly Workspace[], folders: readonly RepoFolder[]): readonly RepoFolder[] {
  const named = workspaces.flatMap(({ path, manifest }) =>
    manifest.workspaces.length === 0 ? [] : folders.filter(buildFolderMatcher(manifest.workspaces, path)),
  );
  return [...new Set(named)];
}

/** Returns whether a pattern of the root manifest already covers a folder, which then needs no registration. */
export function isCovered(rootManifest: Manifest, path: RepoFolder): boolean {
  return buildFolderMatcher(rootManifest.workspaces, '')(path);
}

/** Returns Yarn's name for a workspace whose manifest has no usable name: its folder and six digits of a hash of its path. */
function nameForUnnamed(path: RepoFolder): WorkspaceName {
  const hash = createHash('sha512')
    .update(path === '' ? '.' : path)
    .digest('hex');
  const base = path === '' ? 'root-workspace' : path.slice(path.lastIndexOf('/') + 1);
  return `${base}-${hash.slice(0, 6)}` as WorkspaceName;
}

function workspaceOf(path: RepoFolder, read: Manifest | undefined, patterns: readonly string[] | undefined): readonly Workspace[] {
  if (read === undefined) return [];
  const manifest = patterns === undefined ? read : { ...read, workspaces: path === '' ? patterns : [] };
  return [{ name: manifest.name ?? nameForUnnamed(path), path, manifest }];
}

function manifestPath(folder: RepoFolder): string {
  return folder === '' ? 'package.json' : `${folder}/package.json`;
}

function refuseDuplicates(workspaces: readonly Workspace[]): void {
  const first = new Map<WorkspaceName, Workspace>();
  for (const workspace of workspaces) {
    const other = first.get(workspace.name);
    if (other !== undefined) throw duplicate(workspace.name, [other, workspace]);
    first.set(workspace.name, workspace);
  }
}

function duplicate(name: WorkspaceName, both: readonly Workspace[]): ToolError {
  const folders = both.map(({ path }) => path);
  return new ToolError({
    code: 'WORKSPACE_DUPLICATE_NAME',
    message: `Two workspaces have the name "${name}": ${folders.map((path) => (path === '' ? 'the root' : path)).join(' and ')}.`,
    hint: 'Rename one of them, or exclude one from "workspaces" in the root package.json.',
    data: { name, folders },
  });
}
