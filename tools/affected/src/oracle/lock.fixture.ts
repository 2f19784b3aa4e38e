import { parseSyml } from '@yarnpkg/parsers';
import { asObject, type Json, textOf, textsIn } from './side.fixture.js';

/** The entry of one or more descriptors in a lockfile. */
export interface Entry {
  /** The resolution of the descriptors. In a lockfile of Yarn 1: name and version, and the source. */
  readonly resolution: string;
  readonly version: string;
  readonly dependencies: readonly (readonly [name: string, range: string])[];
  /** Everything that makes it a different package, without its dependencies. */
  readonly content: string;
}

export interface Lock {
  readonly kind: 'berry' | 'classic';
  /** `name@range` → entry. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** `name@npm:range` → entry, for the packages that Yarn patches itself. */
  readonly patched: ReadonlyMap<string, Entry>;
}

/** Reads a lockfile with Yarn's own parser. */
export function readLock(text: string): Lock | 'broken' {
  const isClassic = /^#\s+yarn lockfile v1/m.test(text);
  try {
    const document = asObject(parseSyml(text));
    if (document === undefined || (!isClassic && document['__metadata'] === undefined)) return 'broken';
    const entries = new Map<string, Entry>();
    for (const [key, value] of Object.entries(document)) {
      if (key === '__metadata') continue;
      const entry = readEntry(asObject(value) ?? {}, key);
      for (const descriptor of key.split(/, */)) entries.set(descriptor, entry);
    }
    return { kind: isClassic ? 'classic' : 'berry', entries, patched: new Map(builtinPatches(entries)) };
  } catch {
    return 'broken';
  }
}

function builtinPatches(entries: ReadonlyMap<string, Entry>): [string, Entry][] {
  return [...entries].flatMap(([descriptor, entry]): [string, Entry][] => {
    const [, name, range] = /^(.+?)@patch:\1@npm%3A([^#]+)#(?:optional!|~)builtin</.exec(descriptor) ?? [];
    return name === undefined || range === undefined ? [] : [[`${name}@npm:${decodeURIComponent(range)}`, entry]];
  });
}

/** `linkType` and `languageName` are missing, because they follow from the resolution. */
const CONTENT = ['bin', 'conditions', 'dependenciesMeta', 'integrity', 'peerDependencies', 'peerDependenciesMeta', 'resolved', 'version'];

function readEntry(raw: Json, key: string): Entry {
  const version = textOf(raw['version']);
  const name = key.slice(0, key.indexOf('@', 1));
  return {
    version,
    resolution: typeof raw['resolution'] === 'string' ? raw['resolution'] : `${name}@${version}`,
    dependencies: [...textsIn(raw['dependencies']), ...textsIn(raw['optionalDependencies'])],
    // The first part of a checksum is the key of the cache.
    content: JSON.stringify([...CONTENT.map((field) => sorted(raw[field])), textOf(raw['checksum']).replace(/^[^/]*\//, '')]),
  };
}

function sorted(value: unknown): unknown {
  const object = asObject(value);
  if (object === undefined) return value ?? null;
  return Object.entries(object)
    .map(([key, inner]) => [key, sorted(inner)])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}
