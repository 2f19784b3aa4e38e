import type { EdgesConfig } from '@tributary/model/config';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { ownerOf, type ReadTarget, type Tree, targetsAt } from '@tributary/references/tree';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { spreadFrom } from '@tributary/workspaces/spread';
import type { NamedObservation, Observation } from '../observe/observation.js';
import { type FoundEdge, listsFile } from './edges.js';
import type { ObservedReading } from './finding.js';

/** What answers know about a commit. */
export interface Followed {
  readonly tree: Tree;
  /** With all edges: of manifests, of sources and of tributary.json. */
  readonly graph: DependencyGraph;
  /** The same without those of manifests. */
  readonly edges: EdgesConfig;
  /** Tells whether a change of a file outside of all workspaces selects a workspace without an edge. */
  readonly isCovered: (file: RepoPath, workspace: number) => boolean;
}

/** What commands read outside their workspaces without an edge or rule that says so; each target once per workspace. */
export interface ObservedTargets {
  readonly targets: readonly ObservedTarget[];
  readonly warnings: readonly string[];
}

interface ObservedTarget {
  readonly from: number;
  readonly target: ReadTarget;
  /** All files that were read; sorted. */
  readonly files: readonly RepoPath[];
  readonly command: string;
  readonly severity: ObservedReading['severity'];
}

/** Compares observed files with what answers follow, and ignores those of the own workspace. */
export function judgeObservations(followed: Followed, observations: readonly NamedObservation[], head: string): ObservedTargets {
  const { tree } = followed;
  const used = observations.filter(({ observation }) => tree.byName.has(observation.workspace) && !isIndex(tree, observation));
  const targets = targetsOf(used.flatMap(({ observation }) => readsOf(tree, observation)));
  return {
    targets: targets.flatMap((one) => judge(followed, one)),
    warnings: observations.flatMap((one) => warningsOf(tree, one, head)),
  };
}

/** A note if other edges lead a change there. */
function judge({ tree, graph, edges, isCovered }: Followed, found: Omit<ObservedTarget, 'severity'>): readonly ObservedTarget[] {
  const { from, target } = found;
  const owner = target.kind === 'workspace' ? target.member : ownerOf(tree, target.path);
  const name = graph.members[from]?.name ?? '';
  if (owner !== tree.root && graph.dependents[owner]?.some((edge) => edge.from === from)) return [];
  if (target.kind === 'file' && (listsFile(edges, name, target.path) || (owner === tree.root && isCovered(target.path as RepoPath, from))))
    return [];
  const isReached = owner !== tree.root && spreadFrom(graph, [{ member: owner, reach: 'dependents' }]).some((step) => step.from === from);
  return [{ ...found, severity: isReached ? 'note' : 'hole' }];
}

/** Tells whether a command read files of most workspaces, as a runner that indexes them. */
function isIndex(tree: Tree, { files }: Observation): boolean {
  const count = tree.graph.members.length - 1;
  const owners = new Set(files.map((file) => ownerOf(tree, file)));
  owners.delete(tree.root);
  return count > 3 && owners.size * 2 > count;
}

interface Read {
  readonly from: number;
  readonly target: ReadTarget;
  readonly file: RepoPath;
  readonly owner: number;
  readonly command: string;
}

/** A build that git does not track is a reference to its workspace. */
function readsOf(tree: Tree, { workspace, command, files }: Observation): readonly Read[] {
  const from = tree.byName.get(workspace) ?? tree.root;
  return files.flatMap((path) => {
    const file = path as RepoPath;
    const owner = ownerOf(tree, file);
    if (owner === from) return [];
    return targetsAt(tree, path as RepoFolder).map((target) => ({ from, target, file, owner, command: command.join(' ') }));
  });
}

/** Returns each target once per workspace. Single files of a workspace that is read as a whole belong to that one. */
function targetsOf(reads: readonly Read[]): readonly Omit<ObservedTarget, 'severity'>[] {
  const whole = new Set(reads.flatMap(({ from, target }) => (target.kind === 'workspace' ? [`${from} ${target.member}`] : [])));
  const found = new Map<string, { readonly read: Pick<ObservedTarget, 'from' | 'target' | 'command'>; readonly files: Set<RepoPath> }>();
  for (const { from, target: own, file, owner, command } of reads) {
    const target: ReadTarget = whole.has(`${from} ${owner}`) ? { kind: 'workspace', member: owner } : own;
    const key = `${from} ${JSON.stringify(target)}`;
    const known = found.get(key) ?? { read: { from, target, command }, files: new Set() };
    found.set(key, { ...known, files: known.files.add(file) });
  }
  return [...found.values()].map(({ read, files }) => ({ ...read, files: [...files].sort() }));
}

function warningsOf(tree: Tree, { file, observation }: NamedObservation, head: string): readonly string[] {
  const { workspace, commit, incomplete, exit } = observation;
  return [
    ...(exit === 0 ? [] : [`${file} is from a failed command: later reads are missing.`]),
    ...(tree.byName.has(workspace) ? [] : [`${file} is left out: unknown workspace "${workspace}".`]),
    ...(isIndex(tree, observation)
      ? [`${file} is left out: the command read files of most workspaces, as a runner that indexes them.`]
      : []),
    ...(commit === head ? [] : [`${file} is of the commit ${commit.slice(0, 10)}, not of ${head.slice(0, 10)}.`]),
    ...incomplete.map((why) => `${file} is incomplete: ${why} More files may have been read.`),
  ];
}

/** Returns the findings for `check`. */
export function observedFindings(tree: Tree, { targets }: ObservedTargets): readonly ObservedReading[] {
  const nameOf = (member: number): ObservedReading['target'] => tree.graph.members[member]?.name ?? ('' as ObservedReading['target']);
  return targets.flatMap(({ from, target, files, command, severity }): readonly ObservedReading[] => {
    const [path] = files;
    if (path === undefined) return [];
    const member = target.kind === 'workspace' ? target.member : ownerOf(tree, target.path);
    const missing = declarationFor(tree, from, target);
    const read = { path, files: files.length, target: nameOf(member), command, missing };
    return [{ kind: 'observed-reading', severity, workspace: nameOf(from), ...read }];
  });
}

function declarationFor({ graph }: Tree, from: number, target: ReadTarget): string {
  const { name = '', path = '' } = graph.members[from] ?? {};
  if (target.kind === 'file') return `"${target.path}" in the edges of ${name} in tributary.json`;
  return `"${graph.members[target.member]?.name}" in the devDependencies of ${path === '' ? '' : `${path}/`}package.json`;
}

/** Returns the edges for tributary.json, which the sources do not show. */
export function observedEdges({ graph }: Tree, { targets }: ObservedTargets): readonly FoundEdge[] {
  return targets.flatMap(({ from, target, command, severity }): readonly FoundEdge[] => {
    const reader = graph.members[from]?.name;
    if (severity === 'note' || reader === undefined) return [];
    const to = target.kind === 'workspace' ? (graph.members[target.member]?.name ?? '') : target.path;
    return [{ from: reader, kind: target.kind, to, proof: `observed: ${command.slice(0, 100)}` }];
  });
}
