import { code, table } from '@tributary/terminal/markdown';
import { countOf, describeReason } from '../describe.js';
import type { Plan, TaskPlan } from '../plan/plan.js';
import { type PlanOfTask, plansByTask, tasksOf } from '../plan/plans-by-task.js';
import { wayOut } from '../way-out.js';

/** Returns the number of affected workspaces for each task, and the reason if all are. */
export function selectedHeadline(plan: Plan): string {
  if (plan.also === undefined) return headlineOf(plan);
  return tasksOf(plan)
    .map((one) => `${code(one.task)}: ${headlineOf(one)}`)
    .join(' ');
}

function headlineOf({ affected: { all, workspaces, workspaceCount } }: TaskPlan): string {
  return all === null
    ? `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} ${workspaces.length === 1 ? 'is' : 'are'} affected.`
    : `All ${countOf(workspaceCount, 'workspace')} are affected: ${code(all.reason)} [${all.code.replace(/[^A-Z_]/g, '')}] ${wayOut(all.code) ?? ''}`.trimEnd();
}

/**
 * Returns the affected workspaces with their first reason as a table limited to `bytes`; '' if all have the same reason, or if there are
 * none.
 */
export function selectedTable(plan: Plan, bytes: number): string {
  const rows = plansByTask(plan).flatMap(rowsOf);
  return rows.length === 0 ? '' : table(['workspace', 'why'], rows, bytes);
}

function rowsOf({ plan: { affected }, nameOf }: PlanOfTask): readonly (readonly string[])[] {
  if (affected.all !== null) return [];
  return affected.workspaces.map(({ name, reasons }) => {
    const [first] = reasons;
    const more = reasons.length > 1 ? `, and ${countOf(reasons.length - 1, 'more reason')}` : '';
    return [code(nameOf(name)), first === undefined ? '' : `${code(describeReason(first))}${more}`];
  });
}
