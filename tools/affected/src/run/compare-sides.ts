import { resolveNames } from '@tributary/git/objects';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { joinGraphs, unchangedGraph } from '@tributary/workspaces/join-graphs';
import { isPatch, isScript, mayBeOfCi } from '../changed-files.js';
import { objectName } from '../io/reading.js';
import type { Snapshot } from '../snapshot.js';
import { type Answers, type ComparedInputs, PACKAGE_FILES, type RootFilesCompared, type SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';
import { haveSameMembers, type SidesRead } from './read-sides.js';

/** Compares the two sides, and examines the content of changed files outside workspaces. */
export async function compareSides(inputs: AffectedInputs, sides: SidesRead): Promise<SidesCompared> {
  let compared = await compareGraphs(inputs, sides);
  if (sides.kind === 'both' && !haveSameMembers(sides.base, sides.head)) {
    compared = withAnswers(compared, { found: await findNestingReasons(inputs, compared), answered: [] });
  }
  const isChanged = (isOne: (path: string) => boolean): boolean =>
    compared.all === undefined && inputs.files.some(({ path }) => isOne(path));
  if (!isChanged((path) => mayBeOfCi(path) || isScript(path))) return compared;
  const { compareCiFiles } = await import('./compare-ci-files.js');
  const ci = await compareCiFiles(inputs, sides, compared);
  return { ...withAnswers(compared, ci), all: ci.all };
}

function withAnswers(compared: SidesCompared, { found, answered }: Answers): SidesCompared {
  return { ...compared, found: [...compared.found, ...found], answered: new Set([...compared.answered, ...answered]) };
}

async function compareGraphs(inputs: ComparedInputs, sides: SidesRead): Promise<SidesCompared> {
  if (sides.kind === 'unchanged') return unchanged(sides.head);
  const { base, head } = sides;
  // The base's links through packages are not needed: if one disappears, the resolution of its workspace has changed.
  const joined = joinGraphs(base.graph, head.graph);
  const known = { joined, base: base.graph, linked: [...base.linked, ...head.linked], before: base.texts };
  if (!mayDiffer(inputs, sides)) return { ...known, ...NOTHING };
  const { compareRootFiles } = await import('./compare-root-files.js');
  return { ...known, ...(await compareRootFiles(inputs, sides, joined)) };
}

function mayDiffer(
  { files }: Pick<AffectedInputs, 'files'>,
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
): boolean {
  const names: readonly string[] = PACKAGE_FILES;
  return (
    PACKAGE_FILES.some((file) => base.texts[file] !== head.texts[file]) || files.some(({ path }) => names.includes(path) || isPatch(path))
  );
}

const NOTHING: RootFilesCompared = { found: [], answered: new Set(), all: undefined, lockGraph: undefined };

export function unchanged({ graph, linked }: Snapshot): SidesCompared {
  return { ...NOTHING, joined: unchangedGraph(graph), base: graph, linked, before: undefined };
}

type Nesting = Extract<FoundReason['reason'], { kind: 'nested' }>;

/**
 * Finds workspaces that a nested workspace affects. The nested one was dissolved, so its remaining files now belong to the outer workspace,
 * which may be the root. Or it is new, so its files belonged to the outer one before. The other commit tells whether there are any such files.
 */
async function findNestingReasons(
  { git, repository: { project }, headTree, mergeBase }: Pick<AffectedInputs, 'git' | 'repository' | 'headTree' | 'mergeBase'>,
  { joined, base }: Pick<SidesCompared, 'joined' | 'base'>,
): Promise<readonly FoundReason[]> {
  const baseOwner = (folder: string): number | undefined => joined.memberOfBase[owningMember(base, folder) ?? -1];
  const moves = [
    ...foldersOnlyOf(base, joined.graph).map((folder) => moveOf(folder, owningMember(joined.graph, folder), 'dissolved')),
    ...foldersOnlyOf(joined.graph, base).map((folder) => moveOf(folder, baseOwner(folder), 'new')),
  ];
  const names = moves.map(({ reason: { folder, became } }) => objectName(became === 'new' ? (mergeBase ?? '') : headTree, project, folder));
  const found = await resolveNames(git, names);
  return moves.filter((_, at) => found[at] !== undefined);
}

function foldersOnlyOf(one: DependencyGraph, other: DependencyGraph): readonly string[] {
  return [...one.byPath.keys()].filter((folder) => !other.byPath.has(folder));
}

function moveOf(folder: string, member: number | undefined, became: Nesting['became']): FoundReason & { readonly reason: Nesting } {
  return { member: member ?? -1, reach: 'dependents', reason: { kind: 'nested', folder, became } };
}
