import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type DependencyChange, setDependency } from '@tributary/workspaces/dependency-edit';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseManifest } from '@tributary/workspaces/manifest';
import { manifestIn } from './build-project.js';
import type { Edits, TreeFiles } from './project.js';

/** A dependency of a workspace, as it must become. */
export interface ManifestChange extends DependencyChange {
  /** The folder of the workspace. */
  readonly folder: RepoFolder;
}

/** Returns the changed manifests, in the order of their first change. Unchanged ones are omitted. */
export function editManifests(files: TreeFiles, changes: readonly ManifestChange[]): Edits {
  const texts = new Map<RepoPath, string>();
  for (const { folder, ...change } of changes) {
    const path = manifestIn(folder);
    const text = texts.get(path) ?? files.read(path);
    if (text === undefined) throw new Error(`${path} is the manifest of a workspace, and has no text`);
    texts.set(path, setDependency(text, change));
  }
  return new Map([...texts].filter(([path, text]) => text !== files.read(path)));
}

/** Returns the workspaces after such edits. */
export function withManifests(workspaces: readonly Workspace[], edits: Edits): readonly Workspace[] {
  return workspaces.map((workspace) => {
    const path = manifestIn(workspace.path);
    const text = edits.get(path);
    return text === undefined ? workspace : { ...workspace, manifest: parseManifest(text, path) };
  });
}
