import { code, table } from '@tributary/terminal/markdown';
import { countOf, describeReason } from '../describe.js';
import type { Plan } from '../plan/plan.js';
import { wayOut } from '../way-out.js';

/** Returns the number of affected workspaces, and the reason if all are. */
export function selectedHeadline({ affected: { all, workspaces, workspaceCount } }: Pick<Plan, 'affected'>): string {
  return all === null
    ? `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} ${workspaces.length === 1 ? 'is' : 'are'} affected.`
    : `All ${countOf(workspaceCount, 'workspace')} are affected: ${code(all.reason)} [${all.code.replace(/[^A-Z_]/g, '')}] ${wayOut(all.code) ?? ''}`.trimEnd();
}

/**
 * Returns the affected workspaces with their first reason as a table limited to `bytes`; '' if all have the same reason, or if there are
 * none.
 */
export function selectedTable({ affected: { all, workspaces } }: Pick<Plan, 'affected'>, bytes: number): string {
  if (all !== null || workspaces.length === 0) return '';
  const rows = workspaces.map(({ name, reasons }) => {
    const [first] = reasons;
    const more = reasons.length > 1 ? `, and ${countOf(reasons.length - 1, 'more reason')}` : '';
    return [code(name), first === undefined ? '' : `${code(describeReason(first))}${more}`];
  });
  return table(['workspace', 'why'], rows, bytes);
}
