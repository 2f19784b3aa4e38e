import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import { byName } from '@tributary/model/config-reading';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';
import { observedProof } from '@tributary/workspaces/observed-proof';
import { isCodeFile, isSettingsFile } from '../check/file-kinds.js';
import type { KeptObservation } from './kept-observation.js';

/** Most tools read these files; their changes are compared key by key and entry by entry. */
export const COMPARED: ReadonlySet<string> = new Set(['package.json', 'yarn.lock', '.yarnrc.yml', 'tributary.json']);

/** Tells whether one workspace already selects another, by their indexes. */
export type IsDeclared = (from: number, to: number) => boolean;

/**
 * Returns the readings of workspaces beyond their declarations, in the form of `affected.edges`. Code of another workspace counts as the
 * workspace, other files as themselves. The newest run is the proof. Runs of a runner that reads the whole project are ignored, because
 * they do not show what its tests read.
 */
export function edgesOfObservations(observations: readonly KeptObservation[], graph: DependencyGraph, isDeclared: IsDeclared): EdgesConfig {
  const edges = new Map<string, WorkspaceReads>();
  const places = new Map<string, number>(graph.members.map(({ name }, place) => [name, place]));
  const outer = foldersAbove(graph);
  for (const observation of observations) {
    const from = places.get(observation.workspace);
    if (from === undefined || observation.isCrawl) continue;
    const known = edges.get(observation.workspace) ?? { workspaces: {}, files: {} };
    const isHome = graph.byPath.get(observation.home as RepoFolder) === from && !outer.has(observation.home);
    const found = readsOf(isHome ? observation : readsOfAll(observation), { graph, from, isDeclared });
    edges.set(observation.workspace, {
      workspaces: { ...known.workspaces, ...found.workspaces },
      files: { ...known.files, ...found.files },
    });
  }
  return byName([...edges].filter(([, { workspaces, files }]) => Object.keys(workspaces).length + Object.keys(files).length > 0));
}

/** Returns the folders that hold a workspace at any depth. */
function foldersAbove({ members }: DependencyGraph): ReadonlySet<string> {
  const above = new Set<string>(members.map(({ path }) => parentFolder(path)));
  // The loop also visits folders that it adds to the set.
  for (const folder of above) if (folder !== '') above.add(parentFolder(folder as RepoFolder));
  return above;
}

type Reads = Pick<KeptObservation, 'files' | 'lists' | 'commit'>;

/** Returns everything that was read: what lay in the workspace then may belong to another one now. */
function readsOfAll(observation: KeptObservation): Reads {
  const { files, listed, commit } = observation.whole();
  return { files, lists: listed.map(({ path }) => path), commit };
}

function readsOf(
  { files, lists, commit }: Reads,
  { graph, from, isDeclared }: { readonly graph: DependencyGraph; readonly from: number; readonly isDeclared: IsDeclared },
): WorkspaceReads {
  const proof = observedProof(commit);
  const root = graph.byPath.get('' as RepoFolder);
  const ownerOf = (path: string): number | undefined => ownerPlace(graph, path as RepoPath) ?? root;
  const isForeign = (path: string): boolean => {
    const owner = ownerOf(path);
    return owner !== from && (owner === undefined || owner === root || !isDeclared(from, owner));
  };
  const read = files.filter((path) => isForeign(path) && !COMPARED.has(path));
  const whole = [...read.filter(isCode), ...lists].filter((path) => path !== '.' && isForeign(path)).map(ownerOf);
  const places = new Set(whole.filter((place) => place !== undefined && place !== root));
  return {
    workspaces: byName([...places].map((place) => [graph.members[place ?? -1]?.name ?? '', proof])),
    files: byName(read.filter((path) => !places.has(ownerOf(path))).map((path) => [path, proof])),
  };
}

/** Tells whether a file uses the rest of its workspace; a manifest does not, because it is data for its readers. */
function isCode(path: string): boolean {
  return isCodeFile(path as RepoPath) || (isSettingsFile(path as RepoPath) && !/(^|\/)package\.json$/.test(path));
}

/** Joins both lists of edges; declared edges keep their own proof. */
export function mergeEdges(declared: EdgesConfig, observed: EdgesConfig): EdgesConfig {
  const names = new Set([...Object.keys(observed), ...Object.keys(declared)]);
  if (Object.keys(observed).length === 0) return declared;
  return byName(
    [...names].map((name) => {
      const [one, other] = [declared, observed].map((edges) => (Object.hasOwn(edges, name) ? edges[name] : undefined));
      return [
        name,
        { workspaces: byName(entriesOf(other?.workspaces, one?.workspaces)), files: byName(entriesOf(other?.files, one?.files)) },
      ];
    }),
  );
}

function entriesOf(...all: readonly (Readonly<Record<string, string>> | undefined)[]): readonly [string, string][] {
  return all.flatMap((one) => Object.entries(one ?? {}));
}

/**
 * Returns a function that tells whether one workspace reaches another over edges of the graph. With terminal dev dependencies, only direct
 * edges count, because anything beyond them selects nothing. `graph` includes the edges of tributary.json.
 */
export function declaredIn(graph: DependencyGraph, dev: 'transitive' | 'terminal'): IsDeclared {
  const direct = new Map<number, Set<number>>();
  for (const [to, edges] of graph.dependents.entries())
    for (const { from } of edges) direct.set(from, (direct.get(from) ?? new Set()).add(to));
  if (dev === 'terminal') return (from, to) => direct.get(from)?.has(to) === true;
  const reached = new Map<number, ReadonlySet<number>>();
  return (from, to) => {
    const known = reached.get(from) ?? closureOf(direct, from);
    reached.set(from, known);
    return known.has(to);
  };
}

function closureOf(direct: ReadonlyMap<number, ReadonlySet<number>>, from: number): ReadonlySet<number> {
  const found = new Set(direct.get(from));
  for (const place of found) for (const next of direct.get(place) ?? []) found.add(next);
  return found;
}
