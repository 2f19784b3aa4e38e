import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { isRelative } from '@tributary/references/own-references';
import { detach } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { folderOf, ownerOf, resolveFiles, type Tree } from '@tributary/references/tree';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { HashedFiles } from '../plan/hashed-files.js';
import { isCountedTest } from '../plan/runner.js';
import type { NarrowInputs } from './finding.js';

/** A test task, with what turborepo hashes for it. */
export interface TestTask {
  readonly hashed: HashedFiles;
  /** The workspaces with a script for it. */
  readonly workspaces: ReadonlySet<string>;
}

/** Tells whether a file is one of which `findNarrowInputs` finds something. */
export function hasNarrowInputs(graph: DependencyGraph, { path }: FileReferences): boolean {
  const folder = graph.members[owningMember(graph, path) ?? -1]?.path ?? '';
  return folder !== '' && isCountedTest(path.slice(folder.length + 1));
}

/**
 * Finds files that tests read by path, but that neither their task nor an upstream task hashes, because `inputs` exclude them.
 * In the workspace itself, that breaks the meaning of its inputs: a change of the file does not select the tests. For files of another
 * workspace, the tests run without a cache. Each file once per reader, at the first line that names it.
 */
export function findNarrowInputs(
  tree: Tree,
  file: FileReferences,
  { tasks, turboInputs }: { readonly tasks: readonly TestTask[]; readonly turboInputs: 'respect' | 'ignore' },
): readonly NarrowInputs[] {
  const from = ownerOf(tree, file.path);
  const workspace = nameAt(tree, from);
  const folder = folderOf(tree, from);
  const found = new Map<string, NarrowInputs>();
  for (const name of file.names.filter(isRelative)) {
    for (const path of targetsOf(tree, file.path, { specifier: name.specifier, folder })) {
      const owner = nameAt(tree, ownerOf(tree, path));
      const task = tasks
        .filter(({ workspaces }) => workspaces.has(workspace))
        .map(({ hashed }) => hashed.leavesOut(workspace, path, owner))
        .find((one) => one !== undefined);
      if (task === undefined || found.has(path)) continue;
      const severity = owner === workspace && turboInputs === 'respect' ? 'hole' : 'note';
      const place = { workspace, file: file.path, line: name.line, specifier: detach(name.specifier) };
      found.set(path, { kind: 'narrow-inputs', severity, ...place, path, task });
    }
  }
  return [...found.values()];
}

function nameAt({ graph }: Tree, member: number): WorkspaceName {
  return graph.members[member]?.name ?? ('' as WorkspaceName);
}

/** Returns the tracked files of a path, relative to the file's folder, or to that of its workspace, in which tests start. */
function targetsOf(
  tree: Tree,
  file: RepoPath,
  { specifier, folder }: { readonly specifier: string; readonly folder: RepoFolder },
): readonly RepoPath[] {
  for (const base of [parentFolder(file), folder]) {
    const path = resolveFolder(base, specifier);
    // It is unknown which files of a whole folder are read.
    const resolved = path === undefined || isInside(folder, path) ? undefined : resolveFiles(tree, path);
    if (resolved?.kind === 'files') return resolved.files;
  }
  return [];
}
