import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Project } from './project.js';

/** The blocks whose dependencies are installed for the workspace itself. */
export type InstalledBlock = Exclude<DependencyBlock, 'peerDependencies'>;

const INSTALLED: readonly InstalledBlock[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** A workspace by its name, and its folder. */
export interface WorkspaceLocation {
  readonly name: WorkspaceName;
  readonly path: RepoFolder;
}

export function asLocation({ name, path }: Workspace): WorkspaceLocation {
  return { name, path };
}

/** A line of a manifest. */
export interface Declared {
  readonly block: InstalledBlock;
  readonly name: string;
  /** As the manifest has it. */
  readonly range: string;
}

/** What a manifest declares, without peers; by block, and in the order of the manifest. */
export function installedOf({ manifest }: Pick<Workspace, 'manifest'>): readonly Declared[] {
  return INSTALLED.flatMap((block) => [...manifest[block]].map(([name, range]) => ({ block, name, range })));
}

/** The folders of those that have just come. */
export function newFolders(project: Project): ReadonlySet<RepoFolder> {
  return new Set(project.importedPackages.map(({ path }) => path));
}
