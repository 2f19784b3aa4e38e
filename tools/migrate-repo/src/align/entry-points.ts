import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';

/** A file of a package that others load. */
export interface EntryPoint {
  /** The field of the manifest that names it. */
  readonly field: 'exports' | 'main' | 'types' | 'bin';
  /** Relative to the folder of the package. */
  readonly path: string;
}

/**
 * Returns the files that a manifest declares as entry points of the package as a whole, each once. Empty if it declares
 * none, so that `index.js` would be loaded. From `exports`, only what Node and TypeScript use for the package name
 * counts; other conditions, such as `umd`, do not. Source: https://nodejs.org/api/packages.html#package-entry-points
 */
export function entryPointsOf({ raw }: Pick<Manifest, 'raw'>): readonly EntryPoint[] {
  const found = [...(raw['exports'] === undefined ? plainEntries(raw) : exportedEntries(raw['exports'])), ...binaries(raw['bin'])];
  const byPath = new Map(found.map((entry) => [entry.path, entry]));
  return [...byPath.values()].filter(({ path }) => !path.includes('*'));
}

function plainEntries(raw: Manifest['raw']): EntryPoint[] {
  const types = raw['types'] ?? raw['typings'];
  return [...entry('main', raw['main']), ...entry('types', types)];
}

const CONDITIONS = [
  ['import', 'node', 'module-sync'],
  ['require', 'node', 'module-sync'],
  ['types', 'import', 'node'],
] as const;

function exportedEntries(exported: unknown): EntryPoint[] {
  const own = isPlainObject(exported) && '.' in exported ? exported['.'] : exported;
  return CONDITIONS.flatMap((conditions) => entry('exports', targetOf(own, conditions)));
}

/** Returns the target for conditions. The first matching key in the object applies; in a list, the first usable target. */
function targetOf(target: unknown, conditions: readonly string[]): unknown {
  if (Array.isArray(target)) return target.map((one) => targetOf(one, conditions)).find((one) => one !== undefined);
  if (!isPlainObject(target)) return target ?? undefined;
  const keys = Object.keys(target).filter((key) => key === 'default' || conditions.includes(key));
  return keys.map((key) => targetOf(target[key], conditions)).find((one) => one !== undefined);
}

function binaries(bin: unknown): EntryPoint[] {
  return isPlainObject(bin) ? Object.values(bin).flatMap((path) => entry('bin', path)) : entry('bin', bin);
}

function entry(field: EntryPoint['field'], path: unknown): EntryPoint[] {
  return typeof path === 'string' ? [{ field, path: path.replace(/^(?:\.\/)+/, '') }] : [];
}
