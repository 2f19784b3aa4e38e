import type { ChangedFile } from '@tributary/model/changeset';
import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { FoundReason } from './affected.js';
import { buildGraph, type DependencyEdge, type DependencyGraph } from './dependency-graph.js';
import type { ChangedGraph } from './join-graphs.js';

/** `affected.edges` of two commits; the same value twice where it did not change. */
export interface EdgeSides {
  readonly base: EdgesConfig;
  readonly head: EdgesConfig;
  /** What turbo.json says beside them: tasks of other workspaces that run first. */
  readonly tasks?: EdgesConfig;
}

/**
 * The graph of two commits with the edges of both. A name means the member that has it at either commit; a name that neither has is left
 * out: nothing of it can change.
 */
export function joinReadingEdges(
  joined: ChangedGraph,
  base: DependencyGraph,
  { base: before, head: after, tasks = {} }: EdgeSides,
): ChangedGraph {
  const places = placesByName(joined, base);
  const both = after === before ? [after] : [after, before];
  const edges = [...both.flatMap((side) => edgesOf(side, places, 'read')), ...edgesOf(tasks, places, 'dependency')];
  // The folders of members are those of the head.
  return { ...joined, graph: { ...buildGraph(joined.graph.members, [...joined.graph.edges, ...edges]), byPath: joined.graph.byPath } };
}

/** The graph of one commit with its edges. */
export function withReadingEdges(graph: DependencyGraph, { head, tasks = {} }: Omit<EdgeSides, 'base'>): DependencyGraph {
  const places = new Map(graph.members.map(({ name }, place) => [name as string, new Set([place])]));
  return buildGraph(graph.members, [...graph.edges, ...edgesOf(head, places, 'read'), ...edgesOf(tasks, places, 'dependency')]);
}

/** Why edges select a workspace by itself: a file that it reads changed, or its edges did. */
export function findReadReasons(
  files: readonly ChangedFile[],
  { joined, base }: { readonly joined: ChangedGraph; readonly base: DependencyGraph },
  { base: before, head: after }: EdgeSides,
): readonly FoundReason[] {
  const places = placesByName(joined, base);
  const readers = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return readers.flatMap((reader) => {
    const sides = [after, before].map((edges) => (Object.hasOwn(edges, reader) ? (edges[reader] ?? NOTHING) : NOTHING));
    const changed = sides.map(listReads);
    const key = `affected.edges[${JSON.stringify(reader)}]`;
    const reasons: readonly FoundReason['reason'][] = [
      ...filesRead(files, { ...sides[1]?.files, ...sides[0]?.files }),
      ...(changed[0] === changed[1] ? [] : [{ kind: 'setting', file: 'tributary.json', key } as const]),
    ];
    return [...(places.get(reader) ?? [])].flatMap((place) => reasons.map((reason) => ({ place, reach: 'dependents', reason }) as const));
  });
}

const NOTHING: WorkspaceReads = { workspaces: {}, files: {} };

/** What is read, without the places that prove it: these move when a line is added above. */
function listReads({ workspaces, files }: WorkspaceReads): string {
  return JSON.stringify([Object.keys(workspaces).sort(), Object.keys(files).sort()]);
}

/** One reason for each path, however many files changed below it. */
function filesRead(files: readonly ChangedFile[], read: WorkspaceReads['files']): readonly FoundReason['reason'][] {
  return Object.entries(read).flatMap(([path, by]) => {
    const file = files.find((changed) => (path === '.' ? !changed.path.startsWith('../') : isInside(changed.path, path as RepoFolder)));
    return file === undefined ? [] : [{ kind: 'read', file: file.path, by } as const];
  });
}

/** A workspace that is renamed has two names, and a name may mean two workspaces: one before, another after the change. */
function placesByName({ graph, placeOfBase }: ChangedGraph, base: DependencyGraph): ReadonlyMap<string, ReadonlySet<number>> {
  const places = new Map<string, Set<number>>();
  const add = (name: string, place: number): void => {
    places.set(name, (places.get(name) ?? new Set()).add(place));
  };
  for (const [place, { name }] of graph.members.entries()) add(name, place);
  for (const [place, { name }] of base.members.entries()) add(name, placeOfBase[place] ?? place);
  return places;
}

function edgesOf(
  edges: EdgesConfig,
  places: ReadonlyMap<string, ReadonlySet<number>>,
  field: 'read' | 'dependency',
): readonly DependencyEdge[] {
  return Object.entries(edges).flatMap(([reader, { workspaces }]) =>
    Object.entries(workspaces).flatMap(([target, proof]) =>
      [...(places.get(reader) ?? [])].flatMap((from) =>
        [...(places.get(target) ?? [])].map((to): DependencyEdge => ({ from, to, field, proof })),
      ),
    ),
  );
}
