import type { Services } from '@tributary/terminal/main';
import { buildGraph, type Edge } from '@tributary/workspaces/graph';
import type { MemberEdge, MemberGraph } from '@tributary/workspaces/members';
import type { GraphEdge, GraphResult } from '../result.js';
import { readHeadProject } from './head-project.js';
import type { AffectedRequest } from './request.js';
import { selectAffected } from './select.js';

/**
 * The graph at the head, each edge with its field and kind; which workspaces are affected, where a base was given. Throws as
 * `selectAffected`.
 */
export async function readGraph(request: AffectedRequest, services: Services): Promise<GraphResult> {
  const { side, project, graph } = await readHeadProject(request, services);
  const asked = request.base !== undefined || request.filesFrom !== undefined || request.pullRequest !== undefined;
  const affected = asked ? new Set((await selectAffected(request, services)).workspaces.map(({ name }) => name)) : undefined;
  const workspaces = graph.members.map(({ name, path }) => ({
    name,
    path: path === '' ? '.' : path,
    affected: affected === undefined ? null : affected.has(name),
  }));
  const typed = [...buildGraph(project.workspaces, side.settings).dependencies.values()].flat().filter(({ from, to }) => from !== to);
  return { schemaVersion: 1, workspaces, edges: [...typed.map(typedEdge), ...untypedEdges(graph, typed)] };
}

function typedEdge({ from, to, field, kind, range }: Edge): GraphEdge {
  return { from: from.name, to: to.name, field, kind, range, through: [] };
}

/** What no range shows: edges by name, and through packages. */
function untypedEdges(graph: MemberGraph, typed: readonly Edge[]): readonly GraphEdge[] {
  const known = new Set(typed.map(({ from, to, field }) => `${from.name}\0${to.name}\0${field}`));
  return graph.dependents.flat().flatMap((edge): readonly GraphEdge[] => {
    const [from, to, field] = [nameAt(graph, edge, 'from'), nameAt(graph, edge, 'to'), edge.field === 'any' ? 'dependency' : edge.field];
    if (edge.through !== undefined) return [{ from, to, field, kind: 'package', range: null, through: edge.through }];
    return known.has(`${from}\0${to}\0${field}`) ? [] : [{ from, to, field, kind: 'name', range: null, through: [] }];
  });
}

function nameAt({ members }: MemberGraph, edge: MemberEdge, end: 'from' | 'to'): string {
  return members[edge[end]]?.name ?? '';
}
