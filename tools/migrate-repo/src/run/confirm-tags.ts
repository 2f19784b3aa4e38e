import type { ToolError } from '@tributary/model/errors';
import { type ObjectId, tagRef } from '@tributary/model/ids';
import type { MovedHistory } from '../history/move.js';
import { readRefs } from '../io/refs.js';
import type { Target } from '../io/target.js';
import type { LeftOutPackage } from '../plan/facts.js';
import { tagCollision } from '../plan/names.js';
import { type MigrationPlan, type PlanChoices, type PlannedPackage, planMigration } from '../plan/plan.js';
import type { Gathered } from './gather.js';
import type { Moves } from './moves.js';

/** The input of a plan. */
export interface Planning {
  readonly gathered: Pick<Gathered, 'sources' | 'leftOut'>;
  readonly choices: PlanChoices;
  readonly moves: Moves;
}

/**
 * Plans a migration and checks tags that the monorepo has already. Tags of an earlier import of the same history equal
 * the new ones and are no collision. Other tags leave the package out. Throws as `planMigration` and `Moves.move`.
 */
export async function planWithTags(target: Target, { gathered, choices, moves }: Planning): Promise<MigrationPlan> {
  const plan = planMigration(target.facts, gathered, choices);
  const known = plan.packages.filter(({ knownTags }) => knownTags.length > 0);
  if (known.length === 0) return plan;
  const refs = await readRefs(target.git);
  const leftOut: LeftOutPackage[] = [];
  for (const planned of known) {
    // Reading a few commits takes no time, but a move may take a minute.
    const unlike = await moves.findUnlike(planned, refs);
    const clashes = unlike.length > 0 ? unlike : clashesOf(await moves.move(planned), refs);
    if (clashes.length > 0) leftOut.push({ name: planned.source.request.name, error: otherTags(planned, clashes) });
  }
  if (leftOut.length === 0) return plan;
  return planMigration(target.facts, { ...gathered, leftOut: [...gathered.leftOut, ...leftOut] }, choices);
}

function clashesOf({ tags }: MovedHistory, refs: ReadonlyMap<string, ObjectId>): readonly string[] {
  return tags.filter(({ name, id }) => (refs.get(tagRef(name)) ?? id) !== id).map(({ name }) => name);
}

function otherTags({ tags }: PlannedPackage, clashes: readonly string[]): ToolError {
  const told = clashes.map(
    (newName) =>
      `${tags.find((tag) => tag.newName === newName)?.name ?? newName} would become ${newName}, but refs/tags/${newName} is taken by another content`,
  );
  return tagCollision(told);
}
