import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { Workspace } from '@tributary/workspaces/discover';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';

/** The input of the checks. All paths are relative to the project's root. */
export interface ProjectFacts {
  readonly workspaces: readonly Workspace[];
  /** The same workspaces, with the edges of their manifests. */
  readonly graph: DependencyGraph;
  /** All tracked paths: files and symbolic links. */
  readonly tracked: readonly RepoPath[];
  /** Tells whether a change of this file selects this workspace without an edge: by a rule, or because such a file selects everything. */
  readonly isCovered: (file: RepoPath, workspace: WorkspaceName) => boolean;
}

/** The facts, with indexes for repeated lookups. */
export interface CheckedProject extends ProjectFacts {
  readonly byName: ReadonlyMap<string, number>;
  readonly manifests: readonly Workspace['manifest'][];
  /** By index: name -> text. */
  readonly scripts: readonly ReadonlyMap<string, string>[];
  /** Sorted. */
  readonly sorted: readonly RepoPath[];
  /** Folders with a package.json that belongs to no workspace. */
  readonly otherManifests: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  readonly reached: Map<number, ReadonlySet<number>>;
  readonly covered: Map<string, boolean>;
}

/** Returns the project with another graph, which has more edges. */
export function withGraph(project: CheckedProject, graph: DependencyGraph): CheckedProject {
  return { ...project, graph, edges: pairsOf(graph), reached: new Map(), covered: new Map() };
}

function pairsOf({ dependents }: DependencyGraph): ReadonlySet<string> {
  return new Set(dependents.flatMap((edges) => edges.map(({ from, to }) => `${from} ${to}`)));
}

/** Never throws; a member of the graph without a workspace counts as one without declarations. */
export function indexProject(facts: ProjectFacts): CheckedProject {
  const { graph } = facts;
  const byPath = new Map(facts.workspaces.map((workspace) => [workspace.path, workspace]));
  const manifestFolders = facts.tracked.filter((path) => /(^|\/)package\.json$/.test(path)).map(parentFolder);
  const manifests = graph.members.map(({ path }) => byPath.get(path)?.manifest ?? EMPTY);
  return {
    ...facts,
    byName: new Map(graph.members.map(({ name }, member) => [name, member])),
    manifests,
    scripts: manifests.map(scriptsOf),
    sorted: [...facts.tracked].sort(),
    otherManifests: new Set(manifestFolders.filter((folder) => !graph.byPath.has(folder))),
    edges: pairsOf(graph),
    reached: new Map(),
    covered: new Map(),
  };
}

const EMPTY: Workspace['manifest'] = {
  name: undefined,
  version: undefined,
  private: true,
  workspaces: [],
  dependencies: new Map(),
  devDependencies: new Map(),
  peerDependencies: new Map(),
  optionalDependencies: new Map(),
  optionalPeers: new Set(),
  resolutions: new Map(),
  packageManager: undefined,
  raw: {},
};

export function nameAt(project: CheckedProject, member: number): WorkspaceName {
  return (project.graph.members[member]?.name ?? '') as WorkspaceName;
}

export function folderAt(project: CheckedProject, member: number): RepoFolder {
  return project.graph.members[member]?.path ?? '';
}

export function manifestPath(project: CheckedProject, member: number): RepoPath {
  const folder = folderAt(project, member);
  return (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath;
}

/** Returns the scripts of a workspace: name -> text. */
export function scriptsAt({ scripts }: CheckedProject, member: number): ReadonlyMap<string, string> {
  return scripts[member] ?? new Map<string, string>();
}

function scriptsOf({ raw }: Workspace['manifest']): ReadonlyMap<string, string> {
  const scripts = raw['scripts'];
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts as Readonly<Record<string, unknown>>) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Tells whether a dependency block of the workspace has the name, whatever its range leads to. */
export function declares(project: CheckedProject, member: number, name: string): boolean {
  const manifest = project.manifests[member] ?? EMPTY;
  return [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies, manifest.optionalDependencies].some((block) =>
    block.has(name),
  );
}

/** Tells whether an edge carries a change in files of `to` to `from`. None does for root files (index 0), which rules cover. */
export function carriesFiles(project: CheckedProject, from: number, to: number): boolean {
  return to !== 0 && project.edges.has(`${from} ${to}`);
}

/** Tells whether a change in files of `to` selects `from` over any number of edges; the root as in `carriesFiles`. */
export function isReached(project: CheckedProject, from: number, to: number): boolean {
  if (to === 0) return false;
  const known = project.reached.get(to) ?? findReached(project, to);
  project.reached.set(to, known);
  return known.has(from);
}

function findReached({ graph }: CheckedProject, seed: number): ReadonlySet<number> {
  const found = new Set<number>();
  const queue = [seed];
  for (const member of queue) {
    for (const { from } of graph.dependents[member] ?? []) {
      if (found.has(from)) continue;
      found.add(from);
      queue.push(from);
    }
  }
  return found;
}

/** Returns the tracked files that a path names: itself, itself with an extension, and everything below it. */
export function filesAt(project: CheckedProject, path: RepoFolder): readonly RepoPath[] {
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  return [
    ...filesFrom(project, path),
    ...(bare === path ? [] : filesFrom(project, bare as RepoPath).filter((file) => isExtended(file, bare))),
  ];
}

function filesFrom({ sorted }: CheckedProject, path: RepoFolder): readonly RepoPath[] {
  const found: RepoPath[] = [];
  for (let at = firstFrom(sorted, path); at < sorted.length; at++) {
    const file = sorted[at];
    if (file === undefined || !file.startsWith(path)) break;
    if (isInside(file, path) || isExtended(file, path)) found.push(file);
  }
  return found;
}

/** Tells whether it is `lib/a.ts` or `lib/a.d.ts` for `lib/a`. */
function isExtended(file: string, path: string): boolean {
  return file.startsWith(path) && /^(\.d)?\.\w+$/.test(file.slice(path.length));
}

function firstFrom(sorted: readonly string[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells whether all the files are covered for the workspace; false if there are none. */
export function areCovered(project: CheckedProject, path: RepoFolder, workspace: WorkspaceName): boolean {
  const key = `${workspace}\0${path}`;
  const known = project.covered.get(key) ?? isEachCovered(project, filesAt(project, path), workspace);
  project.covered.set(key, known);
  return known;
}

function isEachCovered(project: CheckedProject, files: readonly RepoPath[], workspace: WorkspaceName): boolean {
  return files.length > 0 && files.every((file) => project.isCovered(file, workspace));
}

/** Tells whether a package.json that belongs to no workspace is between a file and its workspace. */
export function hasOwnManifest(project: CheckedProject, file: RepoPath, owner: RepoFolder): boolean {
  for (let folder = parentFolder(file); folder !== owner && folder !== ''; folder = parentFolder(folder)) {
    if (project.otherManifests.has(folder)) return true;
  }
  return false;
}

/** The target of a path that a workspace names. */
export type Destination =
  | { readonly kind: 'inside' }
  | { readonly kind: 'out-of-project' }
  /** A folder with several workspaces below it. */
  | { readonly kind: 'several'; readonly path: RepoFolder }
  | { readonly kind: 'package'; readonly target: number }
  | { readonly kind: 'elsewhere'; readonly path: RepoFolder; readonly target: number };

/** Resolves a path in a file of the folder `base` in the workspace `from`. */
export function findDestination(
  project: CheckedProject,
  from: number,
  written: { readonly base: RepoFolder; readonly path: string },
): Destination {
  const path = resolveFolder(written.base, written.path);
  if (path === undefined) return { kind: 'out-of-project' };
  const [, installed] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (installed !== undefined) {
    const target = project.byName.get(installed);
    return target === undefined || target === from ? { kind: 'inside' } : { kind: 'package', target };
  }
  const target = owningMember(project.graph, path);
  if (target === undefined || target === from) return { kind: 'inside' };
  if (holdsSeveral(project, path)) return { kind: 'several', path };
  return { kind: 'elsewhere', path, target };
}

/** Tells whether a folder contains several workspaces: the root, or a folder above workspaces. */
function holdsSeveral({ graph }: CheckedProject, path: RepoFolder): boolean {
  return path === '' || (!graph.byPath.has(path) && graph.members.some((member) => isInside(member.path, path)));
}
