import type { AffectedResult } from '../result.js';
import { type TaskOwner, whyNoTask } from './has-task.js';
import type { TurboTasks } from './turbo-tasks.js';

/**
 * Adds the root to an answer if turbo.json has the task for the root itself (`//#test`) and any workspace is affected. Such a script
 * usually runs the tests of all workspaces, which no manifest says.
 */
export function withRootTask(
  affected: AffectedResult,
  workspaces: readonly TaskOwner[],
  { task, turboTasks }: { readonly task: string; readonly turboTasks: TurboTasks },
): AffectedResult {
  const root = workspaces.find(({ path }) => path === '');
  const isIdle = affected.workspaces.length === 0 || affected.workspaces.some(({ path }) => path === '.');
  if (root === undefined || isIdle || whyNoTask(root, task, turboTasks) !== undefined) return affected;
  return { ...affected, workspaces: [{ name: root.name, path: '.', reasons: [{ kind: 'always' }] }, ...affected.workspaces] };
}
