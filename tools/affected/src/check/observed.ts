import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { COMPARED, type NamedObservation, type Observation } from '../observe/observation.js';
import { type FoundEdge, type JudgedReading, judgeReadings, OBSERVED } from './edges.js';
import type { ObservedReading } from './finding.js';
import { manifestPath, nameAt, type Project } from './project.js';
import { type ReadTarget, targetsAt } from './read-targets.js';

/** What commands read outside their workspaces without a manifest or rule that says so; each target once per workspace. */
export interface ObservedReadings {
  readonly readings: readonly ObservedTarget[];
  readonly warnings: readonly string[];
}

interface ObservedTarget {
  readonly from: number;
  readonly target: ReadTarget;
  /** Ordered, one or more. */
  readonly files: readonly RepoPath[];
  readonly command: string;
  readonly reason: 'unseen' | 'reached';
}

/**
 * Compares observed files with the edges and rules of a project, and ignores those of the own workspace. A build that git does not track is
 * a reading of its workspace.
 */
export function judgeObservations(
  project: Project,
  observations: readonly NamedObservation[],
  { head, isUnclaimed }: { readonly head: string; readonly isUnclaimed: (file: RepoPath) => boolean },
): ObservedReadings {
  const found = new Map<string, ObservedTarget>();
  const tracked = new Set<string>(project.tracked);
  const ownerOf = (file: string): number => owningMember(project.graph, file) ?? 0;
  const isIndex = ({ files }: Observation): boolean => {
    const count = project.graph.members.length - 1;
    return count > 3 && new Set(files.map(ownerOf).filter((place) => place !== 0)).size * 2 > count;
  };
  for (const { observation } of observations) {
    const from = project.byName.get(observation.workspace);
    if (from === undefined || isIndex(observation)) continue;
    for (const file of observation.files.filter((one) => ownerOf(one) !== from && !COMPARED.test(one))) {
      if (tracked.has(file)) {
        for (const target of targetsAt(project, file as RepoPath)) addTarget(found, { from, target, file: file as RepoPath, observation });
      } else if (ownerOf(file) !== 0) {
        const place = ownerOf(file);
        addTarget(found, { from, target: { kind: 'workspace', place }, file: manifestPath(project, place) as RepoPath, observation });
      }
    }
  }
  const judged = mergeFiles(project, [...found.values()]).flatMap((one) => {
    const reason = judge(project, one, isUnclaimed);
    return reason === undefined ? [] : [{ ...one, reason }];
  });
  return {
    readings: judged,
    warnings: observations.flatMap((one) => [
      ...warningsOf(project, one, head),
      ...(isIndex(one.observation)
        ? [`${one.file} is left out: the command read files of most workspaces, as a runner that indexes them.`]
        : []),
    ]),
  };
}

function addTarget(
  found: Map<string, ObservedTarget>,
  {
    from,
    target,
    file,
    observation,
  }: Pick<ObservedTarget, 'from' | 'target'> & { readonly file: RepoPath; readonly observation: Observation },
): void {
  const key = `${from} ${target.kind === 'workspace' ? target.place : `/${target.path}`}`;
  const known = found.get(key);
  if (known === undefined) found.set(key, { from, target, files: [file], command: observation.command.join(' '), reason: 'unseen' });
  else if (!known.files.includes(file)) found.set(key, { ...known, files: [...known.files, file] });
}

/** Removes single files of a workspace that is read as a whole, because they need no separate declaration. */
function mergeFiles(project: Project, targets: readonly ObservedTarget[]): readonly ObservedTarget[] {
  const isWhole = (one: ObservedTarget, { from, target }: ObservedTarget): boolean =>
    one.from === from &&
    one.target.kind === 'workspace' &&
    target.kind === 'file' &&
    owningMember(project.graph, target.path) === one.target.place;
  return targets.flatMap((one) => {
    if (targets.some((other) => isWhole(other, one))) return [];
    return [{ ...one, files: [one, ...targets.filter((other) => isWhole(one, other))].flatMap(({ files }) => files).sort() }];
  });
}

/** Judges it like a reading in sources, except for documents, which were really read here. `undefined` if an edge or rule covers it. */
function judge(
  project: Project,
  { from, target, files: [file] }: ObservedTarget,
  isUnclaimed: (file: RepoPath) => boolean,
): ObservedTarget['reason'] | undefined {
  if (file === undefined) return undefined;
  const [judged]: readonly JudgedReading[] = judgeReadings(
    project,
    [{ from, target, chain: [{ file, line: undefined, specifier: `/${file}` }] }],
    isUnclaimed,
  );
  if (judged === undefined || judged.reason === 'unclaimed') return undefined;
  return judged.reason === 'reached' ? 'reached' : 'unseen';
}

function warningsOf(project: Project, { file, observation }: NamedObservation, head: string): readonly string[] {
  const { workspace, commit, incomplete, exit } = observation;
  return [
    ...(exit === 0 ? [] : [`${file} is from a failed command: later reads are missing.`]),
    ...(project.byName.has(workspace) ? [] : [`${file} is left out: unknown workspace "${workspace}".`]),
    ...(commit === head ? [] : [`${file} is of the commit ${commit.slice(0, 10)}, not of ${head.slice(0, 10)}.`]),
    ...incomplete.map((why) => `${file} is incomplete: ${why} More files may have been read.`),
  ];
}

/** Returns the findings for `check`. */
export function observedFindings(project: Project, { readings }: ObservedReadings): readonly ObservedReading[] {
  return readings.map(({ from, target, files: [path = '' as RepoPath, ...others], command, reason }) => {
    const place = target.kind === 'workspace' ? target.place : (owningMember(project.graph, target.path) ?? 0);
    return {
      kind: 'observed-reading',
      severity: reason === 'unseen' ? 'hole' : 'note',
      workspace: nameAt(project, from),
      reason,
      path,
      target: nameAt(project, place),
      files: others.length + 1,
      command,
      missing: declarationFor(project, from, target),
    };
  });
}

function declarationFor(project: Project, from: number, target: ReadTarget): string {
  if (target.kind === 'workspace') return `"${nameAt(project, target.place)}" in the devDependencies of ${manifestPath(project, from)}`;
  return `"${target.path}" in the edges of ${nameAt(project, from)} in tributary.json`;
}

/** Returns the edges for tributary.json that the sources do not show. */
export function observedEdges(project: Project, { readings }: ObservedReadings, known: readonly FoundEdge[]): readonly FoundEdge[] {
  const keys = new Set(known.map(keyOf));
  return readings.flatMap(({ from, target, command, reason }): readonly FoundEdge[] => {
    const edge = {
      from: nameAt(project, from) as WorkspaceName,
      kind: target.kind,
      to: target.kind === 'workspace' ? nameAt(project, target.place) : target.path,
      proof: `${OBSERVED}${command.slice(0, 100)}`,
    };
    return reason === 'unseen' && !keys.has(keyOf(edge)) ? [edge] : [];
  });
}

function keyOf({ from, kind, to }: FoundEdge): string {
  return [from, kind, to].join('\0');
}
