import type { ChangedFile } from '@tributary/model/changeset';
import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import type { FoundReason } from './affected.js';
import { buildGraph, type DependencyEdge, type DependencyGraph } from './dependency-graph.js';
import { foldersAbove } from './folders.js';
import { type ChangedGraph, withMoreEdges } from './join-graphs.js';

/** `affected.edges` of two commits; the same object twice if they are equal. */
export interface EdgeSides {
  readonly base: EdgesConfig;
  readonly head: EdgesConfig;
}

/**
 * Returns the graph of two commits with the edges of both. A name means the member that has it at either commit. A name that exists at
 * neither is ignored: it cannot change. `via`: how sources show them.
 */
export function joinReadingEdges(
  joined: ChangedGraph,
  base: DependencyGraph,
  { base: before, head: after }: EdgeSides,
  via?: DependencyEdge['via'],
): ChangedGraph {
  const members = membersByName(joined, base);
  const both = after === before ? [after] : [after, before];
  return withMoreEdges(
    joined,
    both.flatMap((side) => edgesOf(side, members, via)),
  );
}

/** Returns the graph of one commit with its edges. */
export function withReadingEdges(graph: DependencyGraph, edges: EdgesConfig, via?: DependencyEdge['via']): DependencyGraph {
  const members = new Map(graph.members.map(({ name }, member) => [name as string, new Set([member])]));
  return buildGraph(graph.members, [...graph.edges, ...edgesOf(edges, members, via)]);
}

/** Returns why edges select a workspace directly: a file that it reads changed, or its edges changed. */
export function findReadReasons(
  files: readonly ChangedFile[],
  { joined, base }: { readonly joined: ChangedGraph; readonly base: DependencyGraph },
  { base: before, head: after }: EdgeSides,
): readonly FoundReason[] {
  const members = membersByName(joined, base);
  const first = firstByPath(files);
  const readers = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return readers.flatMap((reader) => {
    const sides = [after, before].map((edges) => readsOf(edges, reader));
    const changed = sides.map(listReads);
    const key = `affected.edges[${JSON.stringify(reader)}]`;
    const reasons: readonly FoundReason['reason'][] = [
      ...filesRead(first, { ...sides[1]?.files, ...sides[0]?.files }),
      ...(changed[0] === changed[1] ? [] : [{ kind: 'setting', file: 'tributary.json', key } as const]),
    ];
    return [...(members.get(reader) ?? [])].flatMap((member) =>
      reasons.map((reason) => ({ member, reach: 'dependents', reason }) as const),
    );
  });
}

function readsOf(edges: EdgesConfig, reader: string): WorkspaceReads {
  return Object.hasOwn(edges, reader) ? (edges[reader] ?? NOTHING) : NOTHING;
}

const NOTHING: WorkspaceReads = { workspaces: {}, files: {} };

/** Returns what is read, without the places that prove it: these move when a line is added above them. */
function listReads({ workspaces, files }: WorkspaceReads): string {
  return JSON.stringify([Object.keys(workspaces).sort(), Object.keys(files).sort()]);
}

/** Returns why edges that were found, rather than written, select a workspace directly: a file that it reads changed. */
export function findFilesRead(
  files: readonly ChangedFile[],
  { joined, base }: { readonly joined: ChangedGraph; readonly base: DependencyGraph },
  { base: before, head: after }: EdgeSides,
  reach: FoundReason['reach'] = 'dependents',
): readonly FoundReason[] {
  const members = membersByName(joined, base);
  const first = firstByPath(files);
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((reader) => {
    const reasons = filesRead(first, { ...readsOf(before, reader).files, ...readsOf(after, reader).files });
    return [...(members.get(reader) ?? [])].flatMap((member) => reasons.map((reason) => ({ member, reach, reason }) as const));
  });
}

/** Returns one reason for each path, however many files changed below it. `first`: the first of them. */
function filesRead(first: ReadonlyMap<string, ChangedFile>, read: WorkspaceReads['files']): readonly FoundReason['reason'][] {
  return Object.entries(read).flatMap(([path, by]) => {
    const file = first.get(path);
    return file === undefined ? [] : [{ kind: 'read', file: file.path, by } as const];
  });
}

/** Returns of each path and folder the first file that changed there; `.` is the top of the repository. */
function firstByPath(files: readonly ChangedFile[]): ReadonlyMap<string, ChangedFile> {
  const first = new Map<string, ChangedFile>();
  for (const file of files) {
    const top = file.path.startsWith('../') ? [] : ['.'];
    for (const path of [file.path, ...foldersAbove(file.path), ...top]) if (!first.has(path)) first.set(path, file);
  }
  return first;
}

/**
 * Returns the indexes by name. A renamed workspace has two names, and a name may mean two workspaces: one before and another after the
 * change.
 */
function membersByName({ graph, memberOfBase }: ChangedGraph, base: DependencyGraph): ReadonlyMap<string, ReadonlySet<number>> {
  const members = new Map<string, Set<number>>();
  const add = (name: string, member: number): void => {
    members.set(name, (members.get(name) ?? new Set()).add(member));
  };
  for (const [member, { name }] of graph.members.entries()) add(name, member);
  for (const [member, { name }] of base.members.entries()) add(name, memberOfBase[member] ?? member);
  return members;
}

function edgesOf(
  edges: EdgesConfig,
  members: ReadonlyMap<string, ReadonlySet<number>>,
  via?: DependencyEdge['via'],
): readonly DependencyEdge[] {
  return Object.entries(edges).flatMap(([reader, { workspaces }]) =>
    Object.entries(workspaces).flatMap(([target, proof]) =>
      [...(members.get(reader) ?? [])].flatMap((from) =>
        [...(members.get(target) ?? [])].map(
          (to): DependencyEdge => ({ from, to, field: 'read', proof, ...(via === undefined ? {} : { via }) }),
        ),
      ),
    ),
  );
}
