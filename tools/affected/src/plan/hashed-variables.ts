import { isPlainObject } from '@tributary/model/plain-object';
import { matchesStars } from '@tributary/model/stars';
import { parse } from 'jsonc-parser';

/**
 * Tells whether a turbo.json makes a variable part of a task's hash, so that another value gives another hash. It matches wildcards, but
 * ignores exclusions. `text`: that of the root, or of a workspace. Source: turborepo.com, "Configuring turbo.json" (`env`, `globalEnv`).
 */
export function hashesVariable(text: string, name: string): boolean {
  const value: unknown = parse(text);
  if (!isPlainObject(value)) return false;
  const tasks = value['tasks'] ?? value['pipeline'];
  const lists = [
    value['globalEnv'],
    ...(isPlainObject(tasks) ? Object.values(tasks).map((task) => isPlainObject(task) && task['env']) : []),
  ];
  return lists.some((list) => Array.isArray(list) && list.some((entry) => typeof entry === 'string' && matchesStars(entry, name)));
}
