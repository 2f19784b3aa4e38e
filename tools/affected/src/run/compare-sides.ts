import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { type ChangedGraph, joinGraphs, unchangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import type { RootTexts } from '../io/reading.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import type { Sides } from './read-sides.js';

/** What the two commits tell together. */
export interface SidesCompared {
  readonly joined: ChangedGraph;
  readonly base: DependencyGraph;
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
  readonly linked: readonly RepoFolder[];
  /** The texts of the base; `undefined` where it is the same. */
  readonly before: RootTexts | undefined;
  readonly all: AllReason | undefined;
  /** That of the head, where it was asked for already. */
  readonly lockGraph: (() => LockGraph | undefined) | undefined;
}

/** Compares the two sides. */
export async function compareSides(
  inputs: Pick<AffectedInputs, 'files' | 'config'>,
  sides: Exclude<Sides, { kind: 'all' }>,
): Promise<SidesCompared> {
  if (sides.kind === 'unchanged') return unchanged(sides.head);
  const { compareBoth } = await import('./compare-both.js');
  return compareBoth(inputs, sides);
}

export function unchanged({ graph, linked }: Snapshot): SidesCompared {
  const nothing = { found: [], answered: new Set<string>(), before: undefined, all: undefined, lockGraph: undefined };
  return { ...nothing, joined: unchangedGraph(graph), base: graph, linked };
}

/** The same with another graph of the head: one that has more edges. */
export function withHeadGraph(compared: SidesCompared, sides: Sides, graph: DependencyGraph): SidesCompared {
  if (sides.kind === 'both') return { ...compared, joined: joinGraphs(sides.base.graph, graph) };
  return { ...compared, joined: unchangedGraph(graph), base: graph };
}
