import { isApart, isOfRelease } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { OwnReferences } from './own-references.js';
import type { ManifestFacts } from './reference.js';

/** Leaves out what scripts name that take no part in tasks of a kind, such as `lint:files` and `changelog:update` in tests. */
export function forTasks(own: OwnReferences, kind: TaskKind): OwnReferences {
  const apart = apartScripts(own.manifest?.scripts ?? [], kind);
  if (apart.size === 0) return own;
  return { ...own, paths: own.paths.filter(({ key }) => key === undefined || !apart.has(key)) };
}

/** Returns the scripts that may take part in tasks of a kind. */
export function scriptsFor({ manifest }: OwnReferences, kind: TaskKind): ManifestFacts['scripts'] {
  const scripts = manifest?.scripts ?? [];
  const apart = apartScripts(scripts, kind);
  return scripts.filter(({ name }) => !apart.has(`scripts.${name}`));
}

/** Returns the keys of the scripts that take no part in tasks of a kind, judged by their names and by who calls them. */
function apartScripts(scripts: ManifestFacts['scripts'], kind: TaskKind): ReadonlySet<string> {
  const isOutside = (name: string): boolean => isApart(name, kind) || isOfRelease(name);
  const apart = scripts.filter(({ name }) => isOutside(name));
  if (apart.length === 0) return new Set();
  const others = scripts.filter(({ name }) => !isOutside(name)).map(({ text }) => text);
  const isCalled = (name: string): boolean => others.some((text) => text.includes(name.replace(/:.*$/s, '')));
  return new Set(apart.filter(({ name }) => !isCalled(name)).map(({ name }) => `scripts.${name}`));
}
