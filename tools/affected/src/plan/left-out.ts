import type { LeftOut, LostTask, Plan } from './plan.js';

/**
 * Returns the workspaces whose tests did not run, although the change affects them or they had the task at the base, with the reason; sorted
 * by name.
 */
export function leftOutOf({ leftOut, atBase }: Pick<Plan, 'leftOut' | 'atBase'>): readonly LeftOut[] {
  const all = new Map([...leftOut, ...atBase.lost.map(describeLost)].map((one) => [one.workspace, one]));
  return [...all.values()].sort((a, b) => (a.workspace < b.workspace ? -1 : 1));
}

function describeLost({ workspace, reason, agreed }: LostTask): LeftOut {
  const why = agreed === null ? 'It lost the task since the base, without a stated reason.' : `Dropped: ${agreed}`;
  return { workspace, reason: `${reason} ${why}` };
}
