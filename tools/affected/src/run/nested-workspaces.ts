import { resolveNames } from '@tributary/git/objects';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { objectName } from '../io/reading.js';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';

type Nesting = Extract<FoundReason['reason'], { kind: 'nested' }>;

/**
 * Finds workspaces that a nested workspace affects. The nested one was dissolved, so its remaining files now belong to the outer workspace.
 * Or it is new, so its files belonged to the outer one before. The other commit tells whether there are any such files.
 */
export async function findNestingReasons(
  { git, repository: { project }, headTree, mergeBase }: Pick<AffectedInputs, 'git' | 'repository' | 'headTree' | 'mergeBase'>,
  { joined, base }: Pick<SidesCompared, 'joined' | 'base'>,
): Promise<readonly FoundReason[]> {
  const root = joined.graph.byPath.get('');
  const baseOwner = (folder: string): number | undefined => joined.memberOfBase[owningMember(base, folder) ?? -1];
  const moves = [
    ...foldersOnlyOf(base, joined.graph).map((folder) => moveOf(folder, owningMember(joined.graph, folder), 'dissolved')),
    ...foldersOnlyOf(joined.graph, base).map((folder) => moveOf(folder, baseOwner(folder), 'new')),
  ].filter(({ member }) => member !== root);
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
