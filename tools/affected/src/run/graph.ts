import type { Services } from '@tributary/terminal/main';
import type { DependencyEdge, DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { GraphEdge, GraphResult } from '../result.js';
import type { AffectedRequest } from './request.js';
import { selectAffected } from './select.js';
import { readWholeGraph } from './whole-graph.js';

/**
 * Returns the graph at the head that answers follow, each edge with its field and kind, and the affected workspaces if a base was given.
 * Throws the errors of `selectAffected`.
 */
export async function readGraph(request: AffectedRequest, services: Services): Promise<GraphResult> {
  const { graph, undeclared, warnings } = await readWholeGraph(request, services);
  const asked = request.base !== undefined || request.filesFrom !== undefined || request.pullRequest !== undefined;
  const affected = asked ? new Set((await selectAffected(request, services)).workspaces.map(({ name }) => name)) : undefined;
  const workspaces = graph.members.map(({ name, path }) => ({
    name,
    path: path === '' ? '.' : path,
    affected: affected === undefined ? null : affected.has(name),
  }));
  // Edges without a range come last: by name, and through packages.
  const edges = [
    ...graph.edges.filter(({ request, from, to }) => request !== undefined && from !== to),
    ...graph.dependents.flat().filter(({ request }) => request === undefined),
  ];
  const described = edges.map((edge) => describeEdge(graph, edge, undeclared.has(edge)));
  return { schemaVersion: 1, workspaces, edges: described, warnings };
}

function describeEdge(
  { members }: DependencyGraph,
  { from, to, field, request, through, proof }: DependencyEdge,
  isUndeclared: boolean,
): GraphEdge {
  const ends = { from: members[from]?.name ?? '', to: members[to]?.name ?? '', field: field === 'any' ? 'dependency' : field } as const;
  if (proof !== undefined) return { ...ends, kind: isUndeclared ? 'undeclared' : 'configured', range: null, through: [], proof };
  if (request !== undefined) return { ...ends, kind: request.kind, range: request.range, through: [] };
  return { ...ends, kind: through === undefined ? 'name' : 'package', range: null, through: through ?? [] };
}
