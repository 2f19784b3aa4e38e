import type { EdgesConfig } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { StaleEdge } from './finding.js';

/** A target that a workspace reads, as in `affected.edges`. */
export interface FoundEdge {
  readonly from: WorkspaceName;
  readonly kind: 'workspace' | 'file';
  /** The name of a workspace, or the path of a file or folder. */
  readonly to: string;
  /** `observed: yarn run test` */
  readonly proof: string;
}

/** Tells whether edges lead a change of a file to a workspace: they list it, or a folder with it. */
export function listsFile(edges: EdgesConfig, workspace: string, path: string): boolean {
  return Object.keys(edges[workspace]?.files ?? {}).some((listed) => listed === '.' || isInside(path, listed as RepoFolder));
}

/** What a listed edge is compared with. */
interface Known {
  readonly graph: DependencyGraph;
  readonly tracked: readonly RepoPath[];
  /** What answers follow without any entry. */
  readonly followed: EdgesConfig;
}

/** Returns the listed edges that say nothing, or nothing more, in the order of the file. */
export function findStaleEdges({ graph, tracked, followed }: Known, edges: EdgesConfig): readonly StaleEdge[] {
  const indexes = new Map(graph.members.map(({ name }, member) => [name as string, member]));
  const declared = new Set(graph.edges.map(({ from, to }) => `${from} ${to}`));
  const isThere = (path: string): boolean => path === '.' || tracked.some((file) => isInside(file, path as RepoFolder));
  const ofWorkspace = (reader: string, to: string): StaleEdge['missing'] | undefined => {
    if (!indexes.has(to)) return 'target';
    const isDeclared = declared.has(`${indexes.get(reader)} ${indexes.get(to)}`);
    return isDeclared || followed[reader]?.workspaces[to] !== undefined ? 'nothing' : undefined;
  };
  const ofFile = (reader: string, to: string): StaleEdge['missing'] | undefined => {
    if (!isThere(to)) return 'file';
    return listsFile(followed, reader, to) ? 'nothing' : undefined;
  };
  return Object.entries(edges).flatMap(([from, { workspaces, files }]) => {
    const stale = (to: string, proof: string, missing: StaleEdge['missing'] | undefined): readonly StaleEdge[] =>
      missing === undefined ? [] : [{ kind: 'stale-edge', severity: 'note', from, to, proof, missing }];
    const reader = indexes.has(from) ? undefined : ('reader' as const);
    return [
      ...Object.entries(workspaces).flatMap(([to, proof]) => stale(to, proof, reader ?? ofWorkspace(from, to))),
      ...Object.entries(files).flatMap(([to, proof]) => stale(to, proof, reader ?? ofFile(from, to))),
    ];
  });
}
