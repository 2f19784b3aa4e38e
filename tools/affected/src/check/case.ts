import type { RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import type { CaseTwins } from './finding.js';

/**
 * Finds tracked paths and folders that macOS or Windows treats as the same: they differ only in case or in the encoding of an accent (APFS
 * compares composed characters, NTFS only the case). Of nested twins it returns only the topmost. Ordered by their first path.
 */
export function findCaseTwins(tracked: readonly RepoPath[], graph: DependencyGraph): readonly CaseTwins[] {
  const twins = [...groupByFold(tracked).values()].filter((group) => group.size > 1).map((group) => [...group].sort());
  return twins
    .filter((paths) => new Set(paths.map(parentFolder)).size === 1)
    .map((paths): CaseTwins => ({ kind: 'case-twins', severity: haveOneOwner(graph, paths) ? 'note' : 'hole', paths }))
    .sort((a, b) => ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1));
}

function groupByFold(tracked: readonly RepoPath[]): ReadonlyMap<string, ReadonlySet<RepoPath>> {
  const groups = new Map<string, Set<RepoPath>>();
  const known = new Set<string>();
  for (const file of tracked) {
    for (let path: string = file; path !== '' && !known.has(path); path = parentFolder(path)) {
      known.add(path);
      const folded = path.normalize('NFC').toLowerCase();
      const group = groups.get(folded);
      if (group === undefined) groups.set(folded, new Set([path as RepoPath]));
      else group.add(path as RepoPath);
    }
  }
  return groups;
}

function haveOneOwner(graph: DependencyGraph, paths: readonly RepoPath[]): boolean {
  return new Set(paths.map((path) => owningMember(graph, path))).size === 1;
}
