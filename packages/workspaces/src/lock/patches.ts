import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';
import { type LockGraph, spread } from './graph.js';
import { locatorOf } from './references.js';

/** By the path of each patch file that entries of a lockfile name, the entries, by place. Yarn's built-in patches are no files. */
export function patchFiles({ index }: LockGraph): ReadonlyMap<RepoPath, readonly number[]> {
  const files = new Map<RepoPath, number[]>();
  index.descriptors.forEach((descriptor, number) => {
    const place = index.owners[number];
    if (place === undefined || !descriptor.includes('@patch:')) return;
    for (const file of filesOf(descriptor)) files.set(file, [...(files.get(file) ?? []), place]);
  });
  return files;
}

/**
 * The workspaces that reach an entry which a patch file is applied to, in the order of their folders: those that are affected if the file
 * changes and the lockfile does not. Where the patch is named and no visible path leads to it, all workspaces.
 */
export function workspacesByPatch(graph: LockGraph, patch: RepoPath): readonly RepoFolder[] | 'not used' {
  const places = patchFiles(graph).get(patch);
  if (places === undefined) return 'not used';
  const { records } = graph.index;
  const reached = spread(graph, new Map(places.map((place) => [place, place])));
  const users = new Set<RepoFolder>();
  for (const place of reached.keys()) {
    for (const dependent of graph.dependentsOf(place)) {
      const folder = records[dependent]?.workspace;
      if (folder !== undefined) users.add(folder);
    }
  }
  const folders = users.size > 0 ? [...users] : records.flatMap(({ workspace }) => (workspace === undefined ? [] : [workspace]));
  return folders.sort();
}

/**
 * `lib@patch:lib@npm%3A1.0.0#~/.yarn/patches/lib.patch` -> `.yarn/patches/lib.patch`. Several stand with `&` between; `~/` is the root
 * of the project, any other path is seen from the workspace in `::locator=`. Source: `patchUtils.parseDescriptor` of @yarnpkg/plugin-patch.
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

/** The folder of the workspace that a relative path is seen from; the root for a package, whose own files are no files of the project. */
function binderOf(descriptor: string): RepoFolder {
  const [, folder = '.'] = /@workspace:(.*)$/.exec(locatorOf(descriptor) ?? '') ?? [];
  return resolveFolder('', folder) ?? '';
}
