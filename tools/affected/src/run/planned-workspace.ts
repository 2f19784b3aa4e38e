import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';

/** Returns the folder of a planned workspace, relative to the project's root. */
export function pathOf(workspace: string, plan: Plan): string | undefined {
  for (const { affected, unselected = [] } of tasksOf(plan)) {
    const selected = affected.workspaces.find(({ name }) => name === workspace);
    const found = selected ?? unselected.find((one) => one.workspace === workspace);
    if (found !== undefined) return found.path;
  }
  return undefined;
}

/** turborepo names the root `//`. */
export function nameForTurbo(workspace: string, plan: Plan): string {
  return pathOf(workspace, plan) === '.' ? '//' : workspace;
}

/** Returns the error `PLAN_STALE`: the checkout differs from the plan. */
export function goneFrom(message: string): ToolError {
  return new ToolError({ code: 'PLAN_STALE', message, hint: 'Make a new plan for this commit, or check out the one it was made for.' });
}
