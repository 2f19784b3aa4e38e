import type { RepoPath } from '@tributary/model/paths';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type { NamedObservation, Observation } from '../observe/observation.js';
import { type FoundEdge, judgeReferences, OBSERVED } from './edges.js';
import type { ObservedReading } from './finding.js';
import { type CheckedProject, manifestPath, nameAt } from './project.js';
import { type ReadTarget, targetsAt } from './read-targets.js';
import type { WorkspaceReference } from './references.js';

/** What commands read outside their workspaces without a manifest or rule that says so; each target once per workspace. */
export interface ObservedReferences {
  readonly references: readonly JudgedObservation[];
  readonly warnings: readonly string[];
}

/** Its chain has all files that were read. */
interface ObservedTarget extends WorkspaceReference {
  readonly command: string;
}

interface JudgedObservation extends ObservedTarget {
  readonly reason: 'unseen' | 'reached';
}

/** Compares observed files with the edges and rules of a project, and ignores those of the own workspace. */
export function judgeObservations(
  project: CheckedProject,
  observations: readonly NamedObservation[],
  { head, isUnclaimed }: { readonly head: string; readonly isUnclaimed: (file: RepoPath) => boolean },
): ObservedReferences {
  const used = observations.filter(({ observation }) => project.byName.has(observation.workspace) && !isIndex(project, observation));
  const targets = targetsOf(used.flatMap(({ observation }) => readsOf(project, observation)));
  return {
    // A document that was really read counts like any other file.
    references: judgeReferences(project, targets, isUnclaimed).flatMap(({ reason, ...one }): readonly JudgedObservation[] =>
      reason === 'unclaimed' ? [] : [{ ...one, reason: reason === 'reached' ? reason : 'unseen' }],
    ),
    warnings: observations.flatMap((one) => warningsOf(project, one, head)),
  };
}

/** Tells whether a command read files of most workspaces, as a runner that indexes them. */
function isIndex({ graph }: CheckedProject, { files }: Observation): boolean {
  const count = graph.members.length - 1;
  const owners = new Set(files.map((file) => owningMember(graph, file) ?? 0));
  owners.delete(0);
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
function readsOf(project: CheckedProject, { workspace, command, files }: Observation): readonly Read[] {
  const from = project.byName.get(workspace) ?? 0;
  return files.flatMap((path) => {
    const file = path as RepoPath;
    const owner = owningMember(project.graph, file) ?? 0;
    if (owner === from) return [];
    return targetsAt(project, file).map((target) => ({ from, target, file, owner, command: command.join(' ') }));
  });
}

/** Returns each target once per workspace. Single files of a workspace that is read as a whole belong to that one. */
function targetsOf(reads: readonly Read[]): readonly ObservedTarget[] {
  const whole = new Set(reads.flatMap(({ from, target }) => (target.kind === 'workspace' ? [`${from} ${target.member}`] : [])));
  const found = new Map<string, { readonly read: Omit<ObservedTarget, 'chain'>; readonly files: Set<RepoPath> }>();
  for (const { from, target: own, file, owner, command } of reads) {
    const target: ReadTarget = whole.has(`${from} ${owner}`) ? { kind: 'workspace', member: owner } : own;
    const key = `${from} ${JSON.stringify(target)}`;
    const known = found.get(key) ?? { read: { from, target, command }, files: new Set() };
    found.set(key, { ...known, files: known.files.add(file) });
  }
  return [...found.values()].map(({ read, files }) => ({
    ...read,
    chain: [...files].sort().map((file) => ({ file, line: undefined, specifier: `/${file}` })),
  }));
}

function warningsOf(project: CheckedProject, { file, observation }: NamedObservation, head: string): readonly string[] {
  const { workspace, commit, incomplete, exit } = observation;
  return [
    ...(exit === 0 ? [] : [`${file} is from a failed command: later reads are missing.`]),
    ...(project.byName.has(workspace) ? [] : [`${file} is left out: unknown workspace "${workspace}".`]),
    ...(isIndex(project, observation)
      ? [`${file} is left out: the command read files of most workspaces, as a runner that indexes them.`]
      : []),
    ...(commit === head ? [] : [`${file} is of the commit ${commit.slice(0, 10)}, not of ${head.slice(0, 10)}.`]),
    ...incomplete.map((why) => `${file} is incomplete: ${why} More files may have been read.`),
  ];
}

/** Returns the findings for `check`. */
export function observedFindings(project: CheckedProject, { references }: ObservedReferences): readonly ObservedReading[] {
  return references.flatMap(({ from, target, chain: [step, ...others], command, reason }) => {
    if (step === undefined) return [];
    const member = target.kind === 'workspace' ? target.member : (owningMember(project.graph, target.path) ?? 0);
    return [
      {
        kind: 'observed-reading',
        severity: reason === 'unseen' ? 'hole' : 'note',
        workspace: nameAt(project, from),
        reason,
        path: step.file,
        target: nameAt(project, member),
        files: others.length + 1,
        command,
        missing: declarationFor(project, from, target),
      },
    ];
  });
}

function declarationFor(project: CheckedProject, from: number, target: ReadTarget): string {
  if (target.kind === 'workspace') return `"${nameAt(project, target.member)}" in the devDependencies of ${manifestPath(project, from)}`;
  return `"${target.path}" in the edges of ${nameAt(project, from)} in tributary.json`;
}

/** Returns the edges for tributary.json that the sources do not show. */
export function observedEdges(
  project: CheckedProject,
  { references }: ObservedReferences,
  known: readonly FoundEdge[],
): readonly FoundEdge[] {
  const edges = references.flatMap(({ from, target, command, reason }): readonly FoundEdge[] => {
    const to = target.kind === 'workspace' ? nameAt(project, target.member) : target.path;
    const proof = `${OBSERVED}${command.slice(0, 100)}`;
    return reason === 'unseen' ? [{ from: nameAt(project, from), kind: target.kind, to, proof }] : [];
  });
  return edges.filter((edge) => !known.some(({ from, kind, to }) => edge.from === from && edge.kind === kind && edge.to === to));
}
