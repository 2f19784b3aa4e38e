import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';

/** Returns the folder of a planned workspace, relative to the project's root. */
export function pathOf(workspace: string, { affected, unselected = [] }: Plan): string | undefined {
  const selected = affected.workspaces.find(({ name }) => name === workspace);
  return (selected ?? unselected.find((one) => one.workspace === workspace))?.path;
}

/** turborepo names the root `//`. */
export function nameForTurbo(workspace: string, plan: Plan): string {
  return pathOf(workspace, plan) === '.' ? '//' : workspace;
}

/** Returns the error `PLAN_STALE`: the checkout differs from the plan. */
export function goneFrom(message: string): ToolError {
  return new ToolError({ code: 'PLAN_STALE', message, hint: 'Make a new plan for this commit, or check out the one it was made for.' });
}
