import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { declaredIn } from './observed-edges.js';

/**
 * Returns the manifests of some workspaces and of all their dependencies, without the root's. They define the scripts of tasks, and may
 * gain a script that runs first. A package manager also reads all others.
 */
export function manifestsOf(workspaces: readonly string[], graph: DependencyGraph): readonly string[] {
  const isNeeded = declaredIn(graph, 'transitive');
  const own = graph.members.flatMap(({ name }, place) => (workspaces.includes(name) ? [place] : []));
  return graph.members.flatMap(({ path }, to) =>
    path !== '' && own.some((from) => from === to || isNeeded(from, to)) ? [`${path}/package.json`] : [],
  );
}
