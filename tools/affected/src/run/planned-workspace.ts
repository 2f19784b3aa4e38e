import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';

/** The folder of a planned workspace, from the root of the project. */
export function pathOf(workspace: string, { affected }: Plan): string | undefined {
  return affected.workspaces.find(({ name }) => name === workspace)?.path;
}

/** turborepo calls the root `//`. */
export function nameForTurbo(workspace: string, plan: Plan): string {
  return pathOf(workspace, plan) === '.' ? '//' : workspace;
}

/** `PLAN_STALE`: what was planned is not what is checked out. */
export function goneFrom(message: string): ToolError {
  return new ToolError({ code: 'PLAN_STALE', message, hint: 'Make a new plan for this commit, or check out the one it was made for.' });
}
