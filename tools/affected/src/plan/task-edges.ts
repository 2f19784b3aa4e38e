import type { EdgesConfig, WorkspaceReads } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { parseTurboTasks, type TurboTasks } from './turbo-tasks.js';

/**
 * Adds to edges what workspaces read because the turbo.json of the root has a task of another one run before theirs: `"dependsOn": ["b#gen"]`.
 * A task without a workspace in its key is one of all, which are `names`. None of a file that cannot be read: with it turborepo runs nothing.
 */
export function withTaskEdges(edges: EdgesConfig, turboText: string | undefined, names: readonly string[]): EdgesConfig {
  const more = turboText === undefined ? [] : [...taskEdges(turboText, names)];
  const merged = more.map(([reader, workspaces]): [string, WorkspaceReads] => {
    const known = Object.hasOwn(edges, reader) ? edges[reader] : undefined;
    return [reader, { workspaces: { ...workspaces, ...known?.workspaces }, files: { ...known?.files } }];
  });
  return merged.length === 0 ? edges : { ...edges, ...Object.fromEntries(merged) };
}

/** By the name of a reader, the workspaces that it reads, each with where that stands. */
function taskEdges(text: string, names: readonly string[]): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const reads = new Map<string, Record<string, string>>();
  for (const [key, dependsOn] of tasksOf(text)) {
    const at = key.lastIndexOf('#');
    const readers = at < 0 ? names : [key.slice(0, at)];
    const targets = dependsOn.filter((entry) => entry.indexOf('#') > 0).map((entry) => entry.slice(0, entry.lastIndexOf('#')));
    for (const reader of targets.length === 0 ? [] : readers) {
      const known = reads.get(reader) ?? {};
      for (const target of targets) if (target !== reader) known[target] = `"${key}" in turbo.json`;
      reads.set(reader, known);
    }
  }
  return reads;
}

function tasksOf(text: string): TurboTasks {
  try {
    return parseTurboTasks(text);
  } catch (error) {
    if (isToolError(error)) return new Map();
    throw error;
  }
}
