import type { LeftOut, LostTask, Plan } from './plan.js';
import { plansByTask } from './plans-by-task.js';

/**
 * Returns the workspaces whose tests did not run, although the change affects them or they had the task at the base, with the reason; sorted
 * by name.
 */
export function leftOutOf(plan: Plan): readonly LeftOut[] {
  const all = new Map<string, LeftOut>();
  for (const { plan: one, nameOf } of plansByTask(plan))
    for (const { workspace, reason } of [...one.leftOut, ...one.atBase.lost.map(describeLost)])
      all.set(nameOf(workspace), { workspace: nameOf(workspace), reason });
  return [...all.values()].sort((a, b) => (a.workspace < b.workspace ? -1 : 1));
}

function describeLost({ workspace, reason, agreed }: LostTask): LeftOut {
  const why = agreed === null ? 'It lost the task since the base, without a stated reason.' : `Dropped: ${agreed}`;
  return { workspace, reason: `${reason} ${why}` };
}
