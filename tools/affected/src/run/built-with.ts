import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { isBuildFile, isSettingsFile, isSuite, isTestFile, mayLeadOut, mayNameTestFolder } from '@tributary/references/file-kinds';
import { type DependencyEdge, type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { UnsafeDevEdge } from '../check/finding.js';
import { type CheckedProject, folderAt, indexProject, nameAt } from '../check/project.js';
import { type BuildEvidence, devEdges, findUnsafeDevEdges, type Pair } from '../check/terminal-dev.js';
import { listTracked, type TrackedFile } from '../io/tracked-files.js';
import type { Snapshot } from '../snapshot.js';
import { readSources, type SourceReading } from './build-evidence.js';
import type { AffectedInputs } from './inputs.js';

/** A commit or tree of a project. */
type Where = Pick<AffectedInputs, 'git' | 'repository'> & {
  /** The commit that `side` was read from. */
  readonly commit: string;
};

/** The facts about dev edges of a project. */
export interface BuiltWith {
  /**
   * Tells whether the dependent is built with the dependency. It accepts edges of the given graph, and of one that begins with its members,
   * as a joined graph does. An edge that was not examined counts as built: its member exists only at the base, or the dependent has no
   * dependents.
   */
  readonly builtWith: (edge: DependencyEdge) => boolean;
  /** The edges with evidence, by dependent, then dependency; the same as in `affected check`. */
  readonly unsafe: readonly UnsafeDevEdge[];
}

/** Returns a function that tells which dev edges a change passes under `dev: "terminal"`. Throws `GIT_FAILED`. */
export async function readBuiltWith(where: Where, side: Snapshot): Promise<(edge: DependencyEdge) => boolean> {
  return (await readBuilds(where, side)).builtWith;
}

/** Returns the same with the evidence. Throws `GIT_FAILED`. */
export async function readBuilds(where: Where, side: Snapshot): Promise<BuiltWith> {
  const pairs = devEdges(side);
  const unsafe = pairs.length === 0 ? [] : await readUnsafe(where, side, pairs);
  const safe = new Set(without(side.graph, pairs, unsafe).map(keyOf));
  return { builtWith: (edge) => !safe.has(keyOf(edge)), unsafe };
}

function keyOf({ from, to }: Pair): string {
  return `${from} ${to}`;
}

/** Returns the pairs without evidence. */
function without({ members }: DependencyGraph, pairs: readonly Pair[], unsafe: readonly UnsafeDevEdge[]): readonly Pair[] {
  const names = new Set(unsafe.map(({ workspace, dependency }) => `${workspace}\0${dependency}`));
  return pairs.filter(({ from, to }) => !names.has(`${members[from]?.name ?? ''}\0${members[to]?.name ?? ''}`));
}

/**
 * Finds unsafe dev edges while reading less than `affected check`. First it reads the sources of dependents, then their tests, whose names
 * matter only if others import them. Only if they could matter, it reads who imports tests.
 */
async function readUnsafe({ git, repository, commit }: Where, side: Snapshot, pairs: readonly Pair[]): Promise<readonly UnsafeDevEdge[]> {
  const { graph } = side;
  const files = await listTracked(git, commit, repository.project);
  const tracked = files.map(({ path }) => path);
  // Neither the policy nor rules matter here.
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
  /** The files that dependents are built from, as far as known, and the build files of the root. */
  readonly sources: readonly TrackedFile[];
  /** Files of dependents that only tests read, without suites, which nobody imports. */
  readonly tests: readonly TrackedFile[];
  readonly others: readonly TrackedFile[];
}

function divide(project: CheckedProject, pairs: readonly Pair[], files: readonly TrackedFile[]): Divided {
  const dependents = new Set(pairs.map(({ from }) => from));
  const divided = { sources: [] as TrackedFile[], tests: [] as TrackedFile[], others: [] as TrackedFile[] };
  for (const file of files) {
    const member = owningMember(project.graph, file.path) ?? 0;
    const below = relativeTo(folderAt(project, member), file.path);
    if (!dependents.has(member)) divided[member === 0 && isBuildFile(file.path) ? 'sources' : 'others'].push(file);
    else if (!isTestFile(below)) divided.sources.push(file);
    else divided[isSuite(below) ? 'others' : 'tests'].push(file);
  }
  return divided;
}

/** Tells whether a text may name a dev dependency of its workspace; a quick check with false positives. */
function mentionTest(project: CheckedProject, pairs: readonly Pair[]): (path: RepoPath, text: string) => boolean {
  const names = new Map<number, string[]>();
  for (const { from, to } of pairs) names.set(from, [...(names.get(from) ?? []), nameAt(project, to)]);
  return (path, text) => {
    const own = names.get(owningMember(project.graph, path) ?? 0) ?? [];
    return own.length > 0 && (isSettingsFile(path) || mayLeadOut(text) || own.some((name) => text.includes(name)));
  };
}
