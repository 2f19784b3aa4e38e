import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Monorepo, Sibling } from './project.js';

/** The blocks whose dependencies are installed for the workspace itself. */
export type InstalledBlock = Exclude<DependencyBlock, 'peerDependencies'>;

const INSTALLED: readonly InstalledBlock[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** The name and folder of a workspace. */
export interface WorkspaceLocation {
  readonly name: WorkspaceName;
  readonly path: RepoFolder;
}

export function asLocation({ name, path }: Workspace): WorkspaceLocation {
  return { name, path };
}

/** One dependency in a manifest. */
export interface Declared {
  readonly block: InstalledBlock;
  readonly name: string;
  /** As in the manifest. */
  readonly range: string;
}

/** Returns the dependencies of a manifest, without peers, by block and in the order of the manifest. */
export function installedOf({ manifest }: Pick<Workspace, 'manifest'>): readonly Declared[] {
  return INSTALLED.flatMap((block) => [...manifest[block]].map(([name, range]) => ({ block, name, range })));
}

/** Returns the folders of the imported packages. */
export function newFolders(project: Monorepo): ReadonlySet<RepoFolder> {
  return new Set(project.importedPackages.map(({ path }) => path));
}

/** Returns a workspace of the monorepo that an imported package was a folder of. */
export function siblingOf({ importedPackages }: Monorepo, { path }: Pick<Workspace, 'path'>, name: string): Sibling | undefined {
  return importedPackages.find((one) => one.path === path)?.siblings?.get(name);
}
