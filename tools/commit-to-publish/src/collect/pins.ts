import { isPlainObject } from '@tributary/model/plain-object';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';
import { parseJson } from '../model/parse-json.js';

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** The packages that a manifest asks for in one version and no other, of several fields the highest: without a lockfile that is what is installed. A text that is no manifest has none. */
export function pinnedVersions(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const manifest = parseJson(text);
  if (!isPlainObject(manifest)) return new Map();
  return highest(
    FIELDS.map((field) => {
      const ranges = Object.entries(isPlainObject(manifest[field]) ? manifest[field] : {});
      return new Map(ranges.flatMap(([name, range]) => pinOf(name, range, wanted)));
    }),
  );
}

/** Of several versions of a package the highest. */
export function highest(all: readonly ReadonlyMap<string, string>[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, version] of all.flatMap((versions) => [...versions])) {
    const before = found.get(name);
    if (before === undefined || compare(version, before) > 0) found.set(name, version);
  }
  return found;
}

/** `1.2.3`, `=1.2.3` or `npm:other@1.2.3`. */
function pinOf(name: string, range: unknown, wanted: ReadonlySet<string>): readonly (readonly [string, string])[] {
  if (typeof range !== 'string') return [];
  const [, alias, version = range] = /^npm:(@?[^@]+)@(.*)$/.exec(range) ?? [];
  const exact = /^[v=\s]*\d/.test(version) ? valid(version.replace(/^[=\s]+/, '')) : null;
  const installed = alias ?? name;
  return exact === null || !wanted.has(installed) ? [] : [[installed, exact]];
}
