import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { parentFolder } from '@tributary/workspaces/folders';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { ownerIn } from '@tributary/workspaces/ranges';
import { isManifest } from '../build-project.js';
import { directDependencies } from '../lock/direct.js';
import type { ImportedPackage, Monorepo, OldLock } from '../project.js';
import { createReleases, type PackageRelease, type PackerChoice } from '../publishing/release.js';
import { bundledTest, publishedTest } from './build-sources.js';
import { isCode } from './file-class.js';
import { type OwnFiles, reachedFiles } from './reach.js';

/** Whether a package is declared for a file that uses it. `development`: only for tests and builds. */
export type Standing = 'declared' | 'development' | 'undeclared';

/** An imported package and what it can reach. */
export interface PackageView {
  readonly workspace: Workspace;
  readonly lock: OldLock | undefined;
  /** The program that packs it. A manifest that npm packs must not contain `workspace:`. */
  readonly packer: PackageRelease['packer'];
  /** Its files, without those of workspaces inside it and those in node_modules. */
  readonly paths: readonly RepoPath[];
  readonly read: (path: RepoPath) => string | undefined;
  /** Whether a name that tools read as a package or a path, such as `test/setup`, is a file or folder of it. */
  readonly isOwnFile: (path: string) => boolean;
  /** Whether consumers may load a file, as far as is known. */
  readonly isReached: (file: RepoPath) => boolean;
  /** Whether they get it only as a part of a bundle, with the dependencies for development that it imports. */
  readonly isBundled: (file: RepoPath) => boolean;
  readonly standingOf: (name: string, file: RepoPath) => Standing;
  /** Returns another workspace with that name. */
  readonly neighbour: (name: string) => Workspace | undefined;
  /** Returns the range in which the root of its former monorepo declared a package, which its files could load. */
  readonly formerRange: (name: string) => string | undefined;
  /** Whether a package exists, as far as is known. Without an old lockfile, any name may exist. */
  readonly exists: (name: string) => boolean;
}

export function surroundingsOf(project: Monorepo, importedPackage: ImportedPackage, choice: PackerChoice = 'detect'): PackageView {
  const byPath = new Map(project.workspaces.map((workspace) => [workspace.path as string, workspace]));
  const byName = new Map<string, Workspace>(project.workspaces.map((workspace) => [workspace.name, workspace]));
  const workspace = byPath.get(importedPackage.path);
  if (workspace === undefined) throw new Error(`${importedPackage.path} is no workspace`);
  const below = project.files.paths.filter(
    (path) => isInside(path, importedPackage.path) && ownerIn(byPath, parentFolder(path)) === workspace,
  );
  const paths = below.filter((path) => !path.includes('/node_modules/'));
  const neighbour = (name: string): Workspace | undefined => {
    const found = byName.get(name);
    return found === workspace ? undefined : found;
  };
  const lock = importedPackage.oldLock;
  const declaredAbove =
    importedPackage.formerRoot === undefined ? new Map<string, string>() : directDependencies(importedPackage.formerRoot);
  return {
    workspace,
    lock,
    packer: createReleases(project, choice)(workspace).packer,
    paths,
    read: project.files.read,
    isOwnFile: ownFiles(paths, importedPackage.path),
    ...reach(workspace, paths, project.files.read),
    standingOf: standings(workspace, {
      nested: nestedManifests(paths, project.files.read, importedPackage.path),
      vendored: vendored(below),
      brought: new Set(lock?.peers.flatMap(({ name, reach }) => (reach === 'package' ? [name] : []))),
    }),
    neighbour,
    formerRange: (name) => declaredAbove.get(name),
    exists: (name) => lock === undefined || lock.versionsOf(name).length > 0 || neighbour(name) !== undefined || declaredAbove.has(name),
  };
}

function ownFiles(paths: readonly RepoPath[], root: RepoPath): PackageView['isOwnFile'] {
  const known = new Set<string>(paths.flatMap((path) => [path, path.replace(/\.[^./]+$/, ''), parentFolder(path)]));
  return (path) => known.has(`${root}/${path.replace(/\/$/, '')}`);
}

/** Returns which files consumers get. Computed on first use, because it is slow and rarely needed. */
function reach(
  { manifest, path: root }: Workspace,
  paths: readonly RepoPath[],
  read: PackageView['read'],
): Pick<PackageView, 'isReached' | 'isBundled'> {
  const once = <T>(compute: (files: OwnFiles) => T): (() => T) => {
    let found: { readonly value: T } | undefined;
    return () => {
      found ??= {
        value: compute({
          paths: new Set(paths.map((path) => relativeTo(root, path))),
          read: (path) => read(`${root}/${path}` as RepoPath),
        }),
      };
      return found.value;
    };
  };
  const reached = once((files) => reachedFiles(manifest, files));
  const mayBePublished = once((files) => publishedTest(manifest.raw, files));
  const isBundled = once((files) => bundledTest(manifest.raw, files));
  return {
    isReached: (file) => !isCode(file) || (reached()?.has(relativeTo(root, file)) ?? mayBePublished()(relativeTo(root, file))),
    isBundled: (file) => isBundled()(relativeTo(root, file)),
  };
}

interface Local {
  /** Manifests that are not workspaces, such as examples and fixtures, by folder. */
  readonly nested: ReadonlyMap<RepoFolder, Manifest>;
  /** Packages committed in a node_modules folder, by its parent folder. */
  readonly vendored: ReadonlyMap<string, ReadonlySet<string>>;
  /** Its own peers that its package manager installed. Yarn will not. */
  readonly brought: ReadonlySet<string>;
}

function standings({ name: own, manifest, path: root }: Workspace, local: Local): PackageView['standingOf'] {
  const anywhere = [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies, manifest.optionalPeers];
  const isOnlyBrought = (name: string): boolean => local.brought.has(name) && !directDependencies(manifest).has(name);
  return (name, file) => {
    if (name === own || anywhere.some((block) => block.has(name))) return isOnlyBrought(name) ? 'undeclared' : 'declared';
    for (let folder: RepoFolder = parentFolder(file); isInside(folder, root); folder = parentFolder(folder)) {
      if (local.vendored.get(folder)?.has(name) === true || declares(local.nested.get(folder), name)) return 'declared';
      if (folder === '') break;
    }
    return manifest.devDependencies.has(name) ? 'development' : 'undeclared';
  };
}

function declares(manifest: Manifest | undefined, name: string): boolean {
  if (manifest === undefined) return false;
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return manifest.name === name || [dependencies, devDependencies, optionalDependencies, peerDependencies].some((block) => block.has(name));
}

/** Returns the nested manifests. Unreadable ones, as in fixtures, are ignored. */
function nestedManifests(paths: readonly RepoPath[], read: PackageView['read'], root: RepoPath): ReadonlyMap<RepoFolder, Manifest> {
  const manifests = paths.filter((path) => isManifest(path) && parentFolder(path) !== root);
  return new Map(
    manifests.flatMap((path): readonly (readonly [RepoFolder, Manifest])[] => {
      try {
        return [[parentFolder(path), parseManifest(read(path) ?? '', path)]];
      } catch {
        return [];
      }
    }),
  );
}

function vendored(paths: readonly RepoPath[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, folder = '', name = ''] = /^(.*?)\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (name !== '') found.set(folder, (found.get(folder) ?? new Set()).add(name.replace(/\.[cm]?js$/, '')));
  }
  return found;
}
