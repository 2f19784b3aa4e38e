import { isPlainObject } from '@tributary/model/plain-object';
import { matchesStars } from '@tributary/model/stars';
import { parse } from 'jsonc-parser';

/**
 * Tells whether a turbo.json makes a variable part of a task's hash, so that another value gives another hash. It matches wildcards, but
 * ignores exclusions. `text`: that of the root, or of a workspace. Source: turborepo.com, "Configuring turbo.json" (`env`, `globalEnv`).
 */
export function hashesVariable(text: string, name: string): boolean {
  return isNamed(parse(text), name, { root: ['globalEnv'], task: ['env'] });
}

/** Tells whether the turbo.json of the root gives tasks a variable, with which it may also be hashed. */
export function passesVariable(text: string, name: string): boolean {
  const value: unknown = parse(text);
  const isLoose = isPlainObject(value) && value['envMode'] === 'loose';
  return isLoose || isNamed(value, name, { root: ['globalEnv', 'globalPassThroughEnv'], task: ['env', 'passThroughEnv'] });
}

function isNamed(value: unknown, name: string, keys: { readonly root: readonly string[]; readonly task: readonly string[] }): boolean {
  if (!isPlainObject(value)) return false;
  const tasks = value['tasks'] ?? value['pipeline'];
  const all = isPlainObject(tasks) ? Object.values(tasks).filter(isPlainObject) : [];
  const lists = [...keys.root.map((key) => value[key]), ...all.flatMap((task) => keys.task.map((key) => task[key]))];
  return lists.some((list) => Array.isArray(list) && list.some((entry) => typeof entry === 'string' && matchesStars(entry, name)));
}
