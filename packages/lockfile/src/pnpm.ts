import type { RepoFolder } from '@tributary/model/paths';
import { parseSyml } from '@yarnpkg/parsers';
import {
  fieldsOf,
  hasPlatformPackages,
  isForAllPlatforms,
  type LockFields,
  optionalOf,
  optionalPeersOf,
  textOf,
  textsOf,
} from './fields.js';
import { type LockEntry, type LockfileReading, readLockText, Unreadable } from './lockfile.js';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Parses a pnpm-lock.yaml of pnpm 3 to 9 and later, without packages that do not come from a registry. The manifest beside the lockfile is
 * importer `.`. Never throws.
 */
export function parsePnpm(text: string, importer: RepoFolder = ''): LockfileReading {
  return readLockText(text, (bare) => buildLockfile(bare, importer === '' ? '.' : importer));
}

function buildLockfile(text: string, importer: string): LockfileReading {
  const lock = parseYaml(lastDocument(text));
  const found = String(lock['lockfileVersion']);
  if (!/^\d/.test(found)) throw new Unreadable('it has no "lockfileVersion"');
  if (!/^[5-9](?:\.|$)/.test(found)) return { kind: 'unsupported', found, known: '5 to 9' };
  const byKey = buildEntries(lock);
  const root = dependenciesOf('importers' in lock ? fieldsOf(fieldsOf(lock['importers'])[importer]) : lock);
  return {
    kind: 'pnpm',
    entries: [...byKey.values()],
    resolve: ({ from, name }) => {
      const reference = (from?.dependencies ?? root).get(name);
      if (reference === undefined) return undefined;
      const key = keysOf(name, reference).find((one) => byKey.has(one));
      return key === undefined ? undefined : byKey.get(key);
    },
  };
}

function parseYaml(text: string): LockFields {
  try {
    return parseSyml(text);
  } catch (error) {
    throw new Unreadable((error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)).replace(/\.$/, ''));
  }
}

/** Returns the project's document. Since version 11, pnpm may write another document about itself before it. */
function lastDocument(text: string): string {
  return text.split(/^---[ \t]*\r?$/m).at(-1) ?? '';
}

/**
 * Returns the entries by key. Since version 9 of the format, `snapshots` lists dependencies, once for each set of peers, and `packages` the
 * rest.
 */
function buildEntries(lock: LockFields): ReadonlyMap<string, LockEntry> {
  const packages = new Map(Object.entries(fieldsOf(lock['packages'])).map(([key, value]) => [key, fieldsOf(value)] as const));
  const snapshots = Object.entries(fieldsOf(lock['snapshots'])).map(
    ([key, value]) => [key, { ...packages.get(locatorOf(key)), ...fieldsOf(value) }] as const,
  );
  const listed = new Set(snapshots.map(([key]) => locatorOf(key)));
  const others = [...packages].filter(([key]) => !listed.has(locatorOf(key)));
  return new Map(
    [...snapshots, ...others].flatMap(([key, fields]) => {
      const entry = buildEntry(key, fields);
      return entry === undefined ? [] : [[key, entry] as const];
    }),
  );
}

/** Returns an entry; `undefined` for a package that does not come from a registry. */
function buildEntry(key: string, fields: LockFields): LockEntry | undefined {
  const own = parsePnpmKey(key);
  if (own === undefined) return undefined;
  return {
    name: own.name,
    version: own.version,
    descriptors: [],
    binaries: [],
    archive: textOf(fieldsOf(fields['resolution'])['tarball']),
    dependencies: dependenciesOf(fields),
    peerDependencies: textsOf(fields['peerDependencies']),
    optionalPeers: optionalPeersOf(fields),
    // A string, because the YAML reader returns only strings.
    hasBuildScript: fields['requiresBuild'] === 'true' && isForAllPlatforms(fields) && !hasPlatformPackages(optionalOf(fields)),
  };
}

/** Returns name and version of `express@4.16.4(supports-color@5.0.0)`, `/express@4.16.4`, `/express/4.16.4_supports-color@5.0.0`. */
export function parsePnpmKey(key: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, version] = /^\/?((?:@[^@/]+\/)?[^@/]+)[@/](\d[^(_/:]*)/.exec(key) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function locatorOf(key: string): string {
  const own = parsePnpmKey(key);
  return own === undefined ? key : `${own.name}@${own.version}`;
}

/** Returns name -> reference. Since version 6 of the format, importers have the reference beside the range. */
function dependenciesOf(fields: LockFields): ReadonlyMap<string, string> {
  const all = KINDS.flatMap((kind) => Object.entries(fieldsOf(fields[kind])));
  return textsOf(Object.fromEntries(all.map(([name, value]) => [name, textOf(value) ?? fieldsOf(value)['version']])));
}

/** Returns the keys that a reference may point to: it is a version followed by peers, or for an alias the key itself. */
function keysOf(name: string, reference: string): readonly string[] {
  return [`${name}@${reference}`, `/${name}@${reference}`, `/${name}/${reference}`, reference];
}
