import { isConventional, subjectOfUnit, type Unit } from '../root-uses/units.js';
import { describeUses } from '../root-uses/uses.js';
import { findUsers, type SearchScene } from './find-users.js';

/** The workspaces that a root file can affect, as far as texts tell. */
export type UnitVerdict =
  /** Every workspace; `evidence` says what names it. */
  | { readonly who: 'everybody'; readonly evidence: string }
  /** The root, and these workspaces by name. */
  | { readonly who: 'some'; readonly workspaces: readonly string[]; readonly evidence: string };

/** Finds the workspaces that units can affect, in their order. Throws `GIT_FAILED`. */
export async function proveUnits(scene: SearchScene, units: readonly Unit[]): Promise<readonly UnitVerdict[]> {
  const users = await findUsers(scene, units.map(subjectOfUnit));
  return units.map((unit, at): UnitVerdict => {
    const { everybody, workspaces = new Map(), root = [] } = users[at] ?? {};
    if (everybody !== undefined) return { who: 'everybody', evidence: `${everybody.what} names it` };
    if (isConventional(unit)) return { who: 'everybody', evidence: 'tools look for it without an entry' };
    const names = [...workspaces.keys()].flatMap((member) => scene.graph.members[member]?.name ?? []).sort();
    const [first] = [...workspaces.values()];
    return {
      who: 'some',
      workspaces: names,
      evidence: first === undefined ? describeUses(root) : `only ${listOf(names)} and the root name it`,
    };
  });
}

function listOf(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join(', ')}, ${names.length - 2} more workspaces` : names.join(', ');
}
