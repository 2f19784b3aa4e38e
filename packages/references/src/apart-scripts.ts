import { isApart, isOfRelease } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { isLinting } from './file-roles.js';
import type { Collected, NamedPath, OwnReferences } from './own-references.js';
import type { ManifestFacts } from './reference.js';

/**
 * Leaves out what scripts name that take no part in tasks of a kind, such as `lint:files` and `changelog:update` in tests, and settings of
 * linters, unless something else names a linter: `"test": "xo && ava"`, a runner of tests.
 */
export function forTasks(own: OwnReferences, kind: TaskKind, isLinted: boolean): OwnReferences {
  const scripts = own.manifest?.scripts ?? [];
  const apart = apartScripts(scripts, kind);
  const lints = isLinted || scripts.some(({ name, text }) => !apart.has(`scripts.${name}`) && LINTS.test(text)) || namesLinter(own);
  const counts = ({ key, place }: Pick<NamedPath, 'key' | 'place'>): boolean =>
    (key === undefined || !apart.has(key)) && (lints || !isLinting(place.file, key));
  if (apart.size === 0 && lints) return own;
  return { ...own, paths: own.paths.filter(counts), packages: own.packages.filter(counts) };
}

/** Tells whether tasks of the kind run linters, as far as files of the root say so: they lint themselves, or with a runner such as `jest-runner-eslint`. */
export function areLinted(rootFiles: Collected['rootFiles'], kind: TaskKind): boolean {
  if (kind !== 'test' && kind !== 'build') return true;
  return [...rootFiles.values()].some(({ packages }) => packages.some(({ name }) => name.includes('runner') && LINTS.test(name)));
}

/** Linters and formatters, and builders that start one by themselves: see "ESLint" in the documentation of each. */
const LINTS = /lint|prettier|standard|biome|dprint|oxfmt|\bxo\b|\bnext\b|react-scripts|vue-cli-service|\bgatsby\b/;

function namesLinter({ packages }: OwnReferences): boolean {
  return packages.some(({ name, key, place }) => LINTS.test(name) && !isLinting(place.file, key));
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
