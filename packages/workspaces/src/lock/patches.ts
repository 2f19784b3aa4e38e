import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';
import { type LockGraph, spread } from './graph.js';
import { locatorOf } from './references.js';

/** Returns the entries that name a patch file, as indexes, by the path of the file. Yarn's built-in patches are not files. */
export function patchFiles({ index }: LockGraph): ReadonlyMap<RepoPath, readonly number[]> {
  const files = new Map<RepoPath, number[]>();
  index.descriptors.forEach((descriptor, number) => {
    const entry = index.owners[number];
    if (entry === undefined || !descriptor.includes('@patch:')) return;
    for (const file of filesOf(descriptor)) files.set(file, [...(files.get(file) ?? []), entry]);
  });
  return files;
}

/**
 * Returns the workspaces that reach an entry with this patch file, in the order of their folders. They are affected if the file changes and
 * the lockfile does not. If no visible path leads to the patch, returns all workspaces.
 */
export function workspacesByPatch(graph: LockGraph, patch: RepoPath): readonly RepoFolder[] | 'not used' {
  const entries = patchFiles(graph).get(patch);
  if (entries === undefined) return 'not used';
  const { records } = graph.index;
  const reached = spread(graph, new Map(entries.map((entry) => [entry, entry])));
  const users = new Set<RepoFolder>();
  for (const entry of reached.keys()) {
    for (const dependent of graph.dependentsOf(entry)) {
      const folder = records[dependent]?.workspace;
      if (folder !== undefined) users.add(folder);
    }
  }
  const folders = users.size > 0 ? [...users] : records.flatMap(({ workspace }) => (workspace === undefined ? [] : [workspace]));
  return folders.sort();
}

/**
 * Returns the patch files of a descriptor: `lib@patch:lib@npm%3A1.0.0#~/.yarn/patches/lib.patch` -> `.yarn/patches/lib.patch`. Several are
 * separated by `&`. `~/` is the project root; any other path is relative to the workspace in `::locator=`. Source:
 * `patchUtils.parseDescriptor` of @yarnpkg/plugin-patch.
 */
function filesOf(descriptor: string): readonly RepoPath[] {
  const [, list = ''] = /@patch:[^#]+#([^:]*(?::(?!:)[^:]*)*)/.exec(descriptor) ?? [];
  return list.split('&').flatMap((written) => {
    const path = written.replace(/^optional!/, '');
    if (/^~?builtin</.test(path)) return [];
    const file = path.startsWith('~/') ? resolveFolder('', path.slice(2)) : resolveFolder(binderOf(descriptor), path);
    return file === undefined || file === '' ? [] : [file];
  });
}

/** Returns the workspace folder to which a relative path refers; the root for a package, whose own files are not in the project. */
function binderOf(descriptor: string): RepoFolder {
  const [, folder = '.'] = /@workspace:(.*)$/.exec(locatorOf(descriptor) ?? '') ?? [];
  return resolveFolder('', folder) ?? '';
}
