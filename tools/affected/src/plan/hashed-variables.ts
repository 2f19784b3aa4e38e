import { isPlainObject } from '@tributary/model/plain-object';
import { parse } from 'jsonc-parser';
import type { OwnTurboFile } from './turbo-tasks.js';

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
  return lists.some((list) => Array.isArray(list) && list.some((entry) => typeof entry === 'string' && isMatch(entry, name)));
}

/**
 * Returns which variables turborepo hashes for a task (`app#test`), without those of the tasks before it. `own`: the turbo.json of
 * workspaces. Variables that it infers from a framework are not known.
 */
export function variablesHashedBy(text: string, own: readonly OwnTurboFile[]): (task: string, name: string) => boolean {
  const root: unknown = parse(text);
  const files = own.map(({ workspace, text: ownText }) => ({ workspace, value: parse(ownText) as unknown }));
  const hashed = (task: string): readonly string[] => {
    const [workspace, plain] = [task.slice(0, task.lastIndexOf('#')), task.slice(task.lastIndexOf('#') + 1)];
    const extended = files.filter((one) => one.workspace === workspace).flatMap(({ value }) => envOf(value, plain));
    return [...textsIn(isPlainObject(root) ? root['globalEnv'] : undefined), ...envOf(root, plain), ...envOf(root, task), ...extended];
  };
  return (task, name) => {
    const entries = hashed(task);
    const isIn = (isExcluded: boolean): boolean =>
      entries.some((entry) => entry.startsWith('!') === isExcluded && isMatch(isExcluded ? entry.slice(1) : entry, name));
    return isIn(false) && !isIn(true);
  };
}

function envOf(value: unknown, task: string): readonly string[] {
  const tasks = isPlainObject(value) ? (value['tasks'] ?? value['pipeline']) : undefined;
  const found = isPlainObject(tasks) ? tasks[task] : undefined;
  return textsIn(isPlainObject(found) ? found['env'] : undefined);
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
}

function isMatch(entry: string, name: string): boolean {
  const parts = entry.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
