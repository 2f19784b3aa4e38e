import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { ThroughReason } from '@tributary/workspaces/affected';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member } from '@tributary/workspaces/dependency-graph';
import { nearestNames } from '../nearest-names.js';
import type { AffectedResult, WhyResult, WhyStep } from '../result.js';
import type { AffectedRequest } from './request.js';
import { selectAffected } from './select.js';
import { readWholeGraph } from './whole-graph.js';

/**
 * Explains why a workspace is affected, with the edges of each step, or that it is not. Throws the errors of `selectAffected`, and
 * `WORKSPACE_UNKNOWN`.
 */
export async function explainWhy(name: string, request: AffectedRequest, services: Services): Promise<WhyResult> {
  const result = await selectAffected(request, services);
  // With "all", there is no way to show, and possibly nothing readable.
  const { graph } = result.all === null ? await readWholeGraph(request, services) : { graph: graphOf(result) };
  const member = findMember(graph, name);
  if (member === undefined) throw unknownWorkspace(name, graph);
  const path = member.path === '' ? '.' : member.path;
  const reasons = result.workspaces.find((one) => one.path === path)?.reasons ?? [];
  const { base, head, mergeBase, all, warnings } = result;
  const explained = reasons.map((reason) => ({ reason, steps: reason.kind === 'dependency' ? wayOf(graph, reason) : [] }));
  const whyNot = reasons.length > 0 ? null : whyNotOf(graph, member, result);
  const about = { name: member.name, path, affected: reasons.length > 0, whyNot, reasons: explained };
  return { schemaVersion: 1, base, head, mergeBase, all, ...about, warnings };
}

/** By its name, or by its folder from the root of the project, as it may be typed: `packages/ui/`, `./packages/ui`, `.\packages\ui`; `.` is the root. */
export function findMember({ members }: Pick<DependencyGraph, 'members'>, name: string): Member | undefined {
  // No folder of a workspace has a backslash in its name.
  const typed = name.replaceAll('\\', '/');
  const folder = typed.startsWith('/') ? typed : typed.replace(/^\.(\/|$)/, '').replace(/\/+$/, '');
  return members.find((one) => one.name === name || one.path === folder);
}

function graphOf({ workspaces }: AffectedResult): DependencyGraph {
  const members = workspaces.map(({ name, path }) => ({ name: name as WorkspaceName, path: (path === '.' ? '' : path) as RepoFolder }));
  return buildGraph(members, []);
}

function changedThemselves({ workspaces }: AffectedResult): readonly string[] {
  return workspaces.filter(({ reasons }) => reasons.some(({ kind }) => kind !== 'dependency' && kind !== 'always')).map(({ name }) => name);
}

function whyNotOf(graph: DependencyGraph, member: Member, result: AffectedResult): NonNullable<WhyResult['whyNot']> {
  const found = new Set([graph.members.indexOf(member)]);
  for (const one of found) for (const { from, to, via } of graph.edges) if (from === one && via !== 'tests') found.add(to);
  const affected = new Set(result.workspaces.map(({ name }) => name));
  const apart = [...found].flatMap((one) => graph.members[one]?.name ?? []).filter((name) => affected.has(name));
  return { dependsOn: found.size - 1, apart, changed: changedThemselves(result) };
}

function wayOf(graph: DependencyGraph, { path: names }: Pick<ThroughReason, 'path'>): readonly WhyStep[] {
  const indexes = new Map<string, number>(graph.members.map(({ name }, member) => [name, member]));
  return names.slice(1).map((to, at) => {
    const from = names[at] ?? '';
    const edges = (graph.dependents[indexes.get(to) ?? -1] ?? []).filter((edge) => edge.from === indexes.get(from));
    return { from, to, edges: edges.map(describeEdge) };
  });
}

function describeEdge({ field, through, proof }: DependencyEdge): WhyStep['edges'][number] {
  return { field: field === 'any' ? 'dependency' : field, through: through ?? [], ...(proof === undefined ? {} : { proof }) };
}

function unknownWorkspace(name: string, graph: DependencyGraph): ToolError {
  const near = nearestNames(
    name,
    graph.members.map((member) => member.name),
  );
  return new ToolError({
    code: 'WORKSPACE_UNKNOWN',
    message: `The head has no workspace "${name}".`,
    hint: near.length === 0 ? 'Give its name, or its folder relative to the root of the project.' : `Did you mean ${near.join(' or ')}?`,
    data: { name },
  });
}
