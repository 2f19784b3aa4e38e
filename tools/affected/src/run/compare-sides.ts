import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { type ChangedGraph, joinGraphs, unchangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { isPatch, mayBeOfCi } from '../changed-files.js';
import type { RootTexts } from '../io/reading.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import { haveSameMembers, type Sides } from './read-sides.js';

/** What the root files of two commits tell together. */
export interface RootFilesCompared {
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
  readonly all: AllReason | undefined;
  /** That of the head, where it was asked for already. */
  readonly lockGraph: (() => LockGraph | undefined) | undefined;
}

/** What a comparison asks of the inputs. */
export type ComparedInputs = Pick<AffectedInputs, 'git' | 'place' | 'headTree' | 'files' | 'config' | 'texts' | 'taskKind'>;

/** What the two commits tell together. */
export interface SidesCompared extends RootFilesCompared {
  readonly joined: ChangedGraph;
  readonly base: DependencyGraph;
  readonly linked: readonly RepoFolder[];
  /** The texts of the base; `undefined` where it is the same. */
  readonly before: RootTexts | undefined;
}

/** Compares the two sides, and looks into files outside of the workspaces of which some changed. */
export async function compareSides(inputs: AffectedInputs, sides: Exclude<Sides, { kind: 'all' }>): Promise<SidesCompared> {
  let compared = await compareGraphs(inputs, sides);
  if (sides.kind === 'both' && !haveSameMembers(sides.base, sides.head)) {
    const { findNestingReasons } = await import('./nested-workspaces.js');
    compared = withAnswers(compared, { found: await findNestingReasons(inputs, compared), answered: [] });
  }
  const isChanged = (isOne: (path: string) => boolean): boolean =>
    compared.all === undefined && inputs.files.some(({ path }) => isOne(path));
  if (isChanged((path) => JUDGED.test(path))) {
    const { judgeRootFiles } = await import('./root-files/compare.js');
    const { head, base = head } = sides.kind === 'both' ? sides : { head: sides.head };
    compared = withAnswers(compared, await judgeRootFiles(inputs, { base, head }, compared));
  }
  if (!isChanged(mayBeOfCi)) return compared;
  const { compareCiFiles } = await import('./compare-ci-files.js');
  const ci = await compareCiFiles(inputs, sides, compared);
  return { ...withAnswers(compared, ci), all: ci.all };
}

/** Files of the root that both commits are compared by. */
const JUDGED = /^(?:lerna\.json|nx\.json|codeowners\.[^/]+|[tj]sconfig[^/]*\.json|(?:GNUm|M|m)akefile)$/;

/** What was found by looking into files, and which of them need no rule then. */
interface Answers {
  readonly found: readonly FoundReason[];
  readonly answered: Iterable<string>;
}

function withAnswers(compared: SidesCompared, { found, answered }: Answers): SidesCompared {
  return { ...compared, found: [...compared.found, ...found], answered: new Set([...compared.answered, ...answered]) };
}

async function compareGraphs(inputs: ComparedInputs, sides: Exclude<Sides, { kind: 'all' }>): Promise<SidesCompared> {
  if (sides.kind === 'unchanged') return unchanged(sides.head);
  const { base, head } = sides;
  // Of the base's links through packages none is needed: where one is gone, what the workspace resolves to has changed.
  const joined = joinGraphs(base.graph, head.graph);
  const known = { joined, base: base.graph, linked: [...base.linked, ...head.linked], before: base.texts };
  if (!mayDiffer(inputs, sides)) return { ...known, ...NOTHING };
  const { compareRootFiles } = await import('./compare-root-files.js');
  return { ...known, ...(await compareRootFiles(inputs, sides, joined)) };
}

/** The files that say what packages resolve to. */
export const PACKAGE_FILES = ['yarn.lock', 'package.json', '.yarnrc.yml'] as const;

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

/** The same with another graph of the head: one that has more edges. */
export function withHeadGraph(compared: SidesCompared, sides: Sides, graph: DependencyGraph): SidesCompared {
  if (sides.kind === 'both') return { ...compared, joined: joinGraphs(sides.base.graph, graph) };
  return { ...compared, joined: unchangedGraph(graph), base: graph };
}
