import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { type DependencyEdge, type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { isBuildFile, isSettingsFile, isSuite, isTestFile, mayLeadOut, mayNameTestFolder } from '../check/file-kinds.js';
import type { UnsafeDevEdge } from '../check/finding.js';
import { folderAt, indexProject, nameAt, type Project } from '../check/project.js';
import { type BuildEvidence, devEdges, findUnsafeDevEdges, type Pair } from '../check/terminal-dev.js';
import { listTracked, type TrackedFile } from '../io/tracked-files.js';
import type { Snapshot } from '../snapshot.js';
import { readSources, type SourceReading } from './build-evidence.js';
import type { AffectedInputs } from './inputs.js';

/** A commit, or a tree, of a project. */
type Where = Pick<AffectedInputs, 'git' | 'place'> & {
  /** The one that `side` was read from; `HEAD` if it is not given. */
  readonly commit: string;
};

/** What is known of the dev edges of a project. */
export interface BuiltWith {
  /**
   * Whether the dependent is built with the dependency. For edges of the graph that was asked about, and of one that begins with its
   * members as a joined one does. An edge that was not looked into (of a member that only the base has, or where nobody depends on the
   * dependent) counts as one to be built with.
   */
  readonly builtWith: (edge: DependencyEdge) => boolean;
  /** The edges for which there is evidence, by dependent, then dependency: the same that `affected check` names. */
  readonly unsafe: readonly UnsafeDevEdge[];
}

/** Over which dev edges a change goes on under `dev: "terminal"`. Throws `GIT_FAILED`. */
export async function readBuiltWith(where: Where, side: Snapshot): Promise<(edge: DependencyEdge) => boolean> {
  return (await readBuilds(where, side)).builtWith;
}

/** The same, with the evidence. Throws `GIT_FAILED`. */
export async function readBuilds(where: Where, side: Snapshot): Promise<BuiltWith> {
  const pairs = devEdges(side);
  const unsafe = pairs.length === 0 ? [] : await readUnsafe(where, side, pairs);
  const safe = new Set(without(side.graph, pairs, unsafe).map(keyOf));
  return { builtWith: (edge) => !safe.has(keyOf(edge)), unsafe };
}

function keyOf({ from, to }: Pair): string {
  return `${from} ${to}`;
}

/** The pairs for which nothing was found. */
function without({ members }: DependencyGraph, pairs: readonly Pair[], unsafe: readonly UnsafeDevEdge[]): readonly Pair[] {
  const names = new Set(unsafe.map(({ workspace, dependency }) => `${workspace}\0${dependency}`));
  return pairs.filter(({ from, to }) => !names.has(`${members[from]?.name ?? ''}\0${members[to]?.name ?? ''}`));
}

/**
 * With less to read than `affected check` does: first the sources of the dependents; then their tests, whose names would matter if
 * somebody imported them; and only if they do, who imports tests.
 */
async function readUnsafe({ git, place, commit }: Where, side: Snapshot, pairs: readonly Pair[]): Promise<readonly UnsafeDevEdge[]> {
  const { graph } = side;
  const files = await listTracked(git, commit, place.project);
  const tracked = files.map(({ path }) => path);
  // Neither the policy nor rules have a part in it.
  const project = indexProject({ workspaces: side.project?.workspaces ?? [], graph, tracked, dev: 'transitive', isCovered: () => false });
  const { sources, tests, others } = divide(project, pairs, files);
  const read = async (some: readonly TrackedFile[], isScanned: SourceReading['isScanned'], known: BuildEvidence): Promise<BuildEvidence> =>
    join(known, (await readSources({ git, files: some, project, isScanned })).evidence);

  const bySources = await read(sources, undefined, NOTHING);
  const found = findUnsafeDevEdges(project, bySources);
  const left = without(graph, pairs, found);
  const mention = mentionTest(project, left);
  const byTests = await read(tests, (path, text) => mention(path, text) || mayNameTestFolder(text), bySources);
  const everybody = new Set(graph.members.keys());
  const safeAnyway = without(graph, left, findUnsafeDevEdges(project, byTests, everybody));
  if (safeAnyway.length === left.length) return found;
  const byAll = await read(others, (_, text) => mayNameTestFolder(text), byTests);
  return findUnsafeDevEdges(project, byAll);
}

const NOTHING: BuildEvidence = { files: [], buildTexts: new Map() };

function join(one: BuildEvidence, other: BuildEvidence): BuildEvidence {
  return { files: [...one.files, ...other.files], buildTexts: new Map([...one.buildTexts, ...other.buildTexts]) };
}

interface Divided {
  /** What dependents are built from, as far as is known, and what of the root takes part in it. */
  readonly sources: readonly TrackedFile[];
  /** What of them only tests read, the suites aside, which nobody imports. */
  readonly tests: readonly TrackedFile[];
  readonly others: readonly TrackedFile[];
}

function divide(project: Project, pairs: readonly Pair[], files: readonly TrackedFile[]): Divided {
  const dependents = new Set(pairs.map(({ from }) => from));
  const divided = { sources: [] as TrackedFile[], tests: [] as TrackedFile[], others: [] as TrackedFile[] };
  for (const file of files) {
    const place = ownerPlace(project.graph, file.path) ?? 0;
    const below = relativeTo(folderAt(project, place), file.path);
    if (!dependents.has(place)) divided[place === 0 && isBuildFile(file.path) ? 'sources' : 'others'].push(file);
    else if (!isTestFile(below)) divided.sources.push(file);
    else divided[isSuite(below) ? 'others' : 'tests'].push(file);
  }
  return divided;
}

/** Whether a text may name one of the dev dependencies of its workspace: a quick look, which says yes too often. */
function mentionTest(project: Project, pairs: readonly Pair[]): (path: RepoPath, text: string) => boolean {
  const names = new Map<number, string[]>();
  for (const { from, to } of pairs) names.set(from, [...(names.get(from) ?? []), nameAt(project, to)]);
  return (path, text) => {
    const own = names.get(ownerPlace(project.graph, path) ?? 0) ?? [];
    return own.length > 0 && (isSettingsFile(path) || mayLeadOut(text) || own.some((name) => text.includes(name)));
  };
}
