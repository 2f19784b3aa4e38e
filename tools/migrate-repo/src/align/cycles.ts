import type { DependencyEdge } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { orderWorkspaces } from '@tributary/workspaces/order';
import { asLocation, type InstalledBlock, type WorkspaceLocation } from './declared.js';

/** Workspaces that depend on each other. */
export interface NewCycle {
  /** Two or more, ordered by path. */
  readonly members: readonly WorkspaceLocation[];
  /** `dev`: without devDependencies there is none, which is legal everywhere; `dependencies`: they depend on each other at run time. */
  readonly through: 'dev' | 'dependencies';
  /** The requests between members that this run converted. */
  readonly made: readonly CycleEdge[];
}

export interface CycleEdge {
  readonly from: WorkspaceLocation;
  readonly to: WorkspaceLocation;
  readonly block: InstalledBlock;
}

/** Returns the cycles among workspaces that contain new edges, each once, in dependency order. Peers do not count. */
export function findNewCycles(workspaces: readonly Workspace[], edges: readonly CycleEdge[]): readonly NewCycle[] {
  if (edges.length === 0) return [];
  const graph = readManifestGraph(workspaces);
  // An edge that comes only from `resolutions` has no range that could have been converted.
  const cyclesOf = (follows: (edge: DependencyEdge) => boolean): readonly (readonly Workspace[])[] =>
    orderWorkspaces(graph, (edge) => edge.request !== undefined && follows(edge)).cycles;
  const atRunTime = cyclesOf(({ field }) => field !== 'peer' && field !== 'dev').flat();
  return cyclesOf(({ field }) => field !== 'peer').flatMap((cycle): readonly NewCycle[] => {
    const paths = new Set(cycle.map(({ path }) => path));
    const made = edges.filter(({ from, to }) => paths.has(from.path) && paths.has(to.path));
    if (made.length === 0) return [];
    const through = cycle.some((member) => atRunTime.includes(member)) ? 'dependencies' : 'dev';
    return [{ members: cycle.map(asLocation), through, made: made.map(({ from, to, block }) => ({ from, to, block })) }];
  });
}
