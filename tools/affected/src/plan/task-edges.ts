import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { parseTurboTasks, type TurboTasks } from './turbo-tasks.js';

/**
 * Returns the edges in the root's turbo.json, which arise if a task depends on a task of another workspace: `"dependsOn": ["b#gen"]`. A
 * task key without a workspace is a task of all `names`. Empty if the file is unreadable, because turborepo then runs nothing.
 */
export function taskEdges(turboText: string | undefined, names: readonly string[]): EdgesConfig {
  const reads = new Map<string, Record<string, string>>();
  for (const [key, dependsOn] of turboText === undefined ? [] : tasksOf(turboText)) {
    const at = key.lastIndexOf('#');
    const readers = at < 0 ? names : [key.slice(0, at)];
    const targets = dependsOn.filter((entry) => entry.indexOf('#') > 0).map((entry) => entry.slice(0, entry.lastIndexOf('#')));
    for (const reader of targets.length === 0 ? [] : readers) {
      const known = reads.get(reader) ?? {};
      for (const target of targets) if (target !== reader) known[target] = `"${key}" in turbo.json`;
      reads.set(reader, known);
    }
  }
  return Object.fromEntries([...reads].map(([reader, workspaces]): [string, WorkspaceReads] => [reader, { workspaces, files: {} }]));
}

function tasksOf(text: string): TurboTasks {
  try {
    return parseTurboTasks(text);
  } catch (error) {
    if (isToolError(error)) return new Map();
    throw error;
  }
}
