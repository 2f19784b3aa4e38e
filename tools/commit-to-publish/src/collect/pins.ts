import { isPlainObject } from '@tributary/model/plain-object';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';
import { parseJson } from '../model/parse-json.js';

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/**
 * Returns the packages that a manifest requires in exactly one version; without a lockfile, that version is installed. Of several fields
 * the highest counts. Empty if the text is not a manifest.
 */
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

/** Returns the highest version of each package. */
export function highest(all: readonly ReadonlyMap<string, string>[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, version] of all.flatMap((versions) => [...versions])) {
    const before = found.get(name);
    if (before === undefined || compare(version, before) > 0) found.set(name, version);
  }
  return found;
}

/** Parses `1.2.3`, `=1.2.3` or `npm:other@1.2.3`. */
function pinOf(name: string, range: unknown, wanted: ReadonlySet<string>): readonly (readonly [string, string])[] {
  if (typeof range !== 'string') return [];
  const [, alias, version = range] = /^npm:(@?[^@]+)@(.*)$/.exec(range) ?? [];
  const exact = /^[v=\s]*\d/.test(version) ? valid(version.replace(/^[=\s]+/, '')) : null;
  const installed = alias ?? name;
  return exact === null || !wanted.has(installed) ? [] : [[installed, exact]];
}
