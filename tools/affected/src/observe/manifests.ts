import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { declaredIn } from './observed-edges.js';

/**
 * The manifests of some workspaces and of all their dependencies, without that of the root. They hold the scripts of tasks, and may get a
 * script that runs before. A package manager reads all others too.
 */
export function manifestsOf(workspaces: readonly string[], graph: DependencyGraph): readonly string[] {
  const isNeeded = declaredIn(graph, 'transitive');
  const own = graph.members.flatMap(({ name }, place) => (workspaces.includes(name) ? [place] : []));
  return graph.members.flatMap(({ path }, to) =>
    path !== '' && own.some((from) => from === to || isNeeded(from, to)) ? [`${path}/package.json`] : [],
  );
}
