import type { EntryHead } from '@tributary/lockfile/scan';
import type { RepoFolder } from '@tributary/model/paths';
import { parentFolder } from '../folders.js';
import { readBoundPath } from './bound.js';

/** A workspace that depends on another one through third-party packages: an edge that no manifest shows. */
export interface PackageLink {
  readonly from: RepoFolder;
  readonly to: RepoFolder;
  /** The locators of the packages on one shortest path, starting next to `from`; at least one. */
  readonly through: readonly string[];
}

/** Entries of a lockfile, by index, and the entries that lead to each of them: the needed part of a `LockGraph`. */
export interface Dependents {
  readonly index: { readonly records: readonly Pick<EntryHead, 'resolution' | 'workspace'>[] };
  readonly dependentsOf: (entry: number) => Iterable<number>;
}

/**
 * Finds the third-party packages that depend on workspaces of the project, such as `jest-util@npm:^30.0.0` if a workspace of that name
 * matches. Returns the workspaces that use them, ordered by `from`, then `to`; no workspace leads to itself.
 */
export function linksThroughPackages(graph: Dependents): readonly PackageLink[] {
  const { records } = graph.index;
  const isPackage = (entry: number) => records[entry]?.workspace === undefined;
  const folders = new Set(records.flatMap(({ workspace }) => workspace ?? []));
  const links = records.flatMap(({ workspace, resolution }, entry) => {
    const to = workspace ?? memberAt(folders, readBoundPath(resolution)?.folder);
    const first = to === undefined ? [] : [...graph.dependentsOf(entry)].filter(isPackage);
    const bound = workspace === undefined && to !== undefined ? boundLinks(graph, entry, to) : [];
    return to === undefined || first.length === 0 ? bound : [...bound, ...linksTo(graph, to, first)];
  });
  return links.sort((one, other) => compare(one.from, other.from) || compare(one.to, other.to));
}

/** Returns the workspace to which a path leads, but not the root, whose folder contains everything. */
function memberAt(folders: ReadonlySet<RepoFolder>, folder: RepoFolder | undefined): RepoFolder | undefined {
  for (let at = folder ?? ''; at !== ''; at = parentFolder(at)) if (folders.has(at)) return at;
  return undefined;
}

/** Returns the workspaces that a path leads to another workspace: a path of their own, or one in a resolution, whatever they request. */
function boundLinks(graph: Dependents, entry: number, to: RepoFolder): readonly PackageLink[] {
  const { records } = graph.index;
  const through = [records[entry]?.resolution ?? ''];
  return [...graph.dependentsOf(entry)].flatMap((dependent) => {
    const from = records[dependent]?.workspace;
    return from === undefined || from === to ? [] : [{ from, to, through }];
  });
}

/** Walks from the packages that depend on a workspace to the workspaces that depend on them, in order of distance. */
function linksTo(graph: Dependents, to: RepoFolder, first: readonly number[]): readonly PackageLink[] {
  const { records } = graph.index;
  const links: PackageLink[] = [];
  const users = new Set<RepoFolder>();
  /** The next package on the path to the workspace; `undefined` for its direct dependents. */
  const next = new Map<number, number | undefined>(first.map((entry) => [entry, undefined]));
  for (const entry of next.keys()) {
    for (const dependent of graph.dependentsOf(entry)) {
      const from = records[dependent]?.workspace;
      if (from === undefined) {
        if (!next.has(dependent)) next.set(dependent, entry);
      } else if (from !== to && !users.has(from)) {
        users.add(from);
        links.push({ from, to, through: pathOf(graph, next, entry) });
      }
    }
  }
  return links;
}

function pathOf({ index }: Dependents, next: ReadonlyMap<number, number | undefined>, start: number): readonly string[] {
  const path: string[] = [];
  for (let entry: number | undefined = start; entry !== undefined; entry = next.get(entry))
    path.push(index.records[entry]?.resolution ?? '');
  return path;
}

/** Compares texts by their code units, for `sort`. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
