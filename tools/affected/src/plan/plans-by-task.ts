import type { ScriptFlaw } from '../scripts/script-flaw.js';
import { type Plan, type TaskPlan, type Unselected, wholeName } from './plan.js';

/** A plan as it would be for one of its tasks alone. */
export interface PlanOfTask {
  /** With the pieces of the task, and the shards that have one. */
  readonly plan: Plan;
  /** Names a workspace; where there are several tasks, with the task. */
  readonly nameOf: (workspace: string) => string;
}

/** Returns a plan for each task, in the order of the request. */
export function plansByTask(plan: Plan): readonly PlanOfTask[] {
  const { also = [], ...first } = plan;
  if (also.length === 0) return [{ plan, nameOf: (workspace) => workspace }];
  const { unselected: _, scriptFlaws: _flaws, strictScripts: _strict, ...shared } = first;
  return [first, ...also].map((one): PlanOfTask => {
    const { task } = one;
    const shards = plan.shards.flatMap((shard) => {
      const pieces = shard.pieces.filter((piece) => piece.task === task);
      return pieces.length === 0 ? [] : [{ ...shard, pieces }];
    });
    return { plan: { ...shared, ...one, shards }, nameOf: (workspace) => wholeName({ workspace, task }) };
  });
}

/** Returns what a plan says of each task. */
export function tasksOf(plan: Plan): readonly TaskPlan[] {
  return [plan, ...(plan.also ?? [])];
}

/** Returns why scripts may pass although a command in them fails, with the names of `nameOf`. */
export function flawsOf({ plan: { scriptFlaws = [] }, nameOf }: PlanOfTask): readonly ScriptFlaw[] {
  return scriptFlaws.map((flaw) => ({ ...flaw, workspace: nameOf(flaw.workspace) }));
}

/** Returns what a selection would leave out of any task, with the names of `nameOf`. */
export function unselectedOf(plan: Plan): readonly Unselected[] {
  return plansByTask(plan).flatMap(({ plan: { unselected = [] }, nameOf }) =>
    unselected.map((one) => ({ ...one, workspace: nameOf(one.workspace) })),
  );
}

/** Returns the numbers of all tasks together; `everythingSeconds` as in the plan of one. */
export function sumsOf(plan: Plan): Pick<TaskPlan, 'guessed' | 'everythingSeconds'> {
  const all = tasksOf(plan);
  const seconds = all.map(({ everythingSeconds }) => everythingSeconds);
  return {
    guessed: all.reduce((sum, { guessed }) => sum + guessed, 0),
    everythingSeconds: seconds.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0),
  };
}
