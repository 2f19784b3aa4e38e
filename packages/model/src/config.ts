/** `tributary.json`, one block for each tool. Schema: `packages/model/schema/tributary.schema.json`. */
export interface Config {
  readonly migrate: MigrateConfig;
}

export interface MigrateConfig {
  /** Where a package goes: `{name}` (with its scope) and `{shortName}` are replaced. */
  readonly path: string;
  /** What a tag is called after the move: `{name}`, `{shortName}`, `{version}` (without a leading `v`), `{tag}`. `false` brings no tags. */
  readonly tags: string | false;
  /** The packages that can be migrated by name alone. */
  readonly packages: Readonly<Record<string, PackageSource>>;
}

export interface PackageSource {
  readonly source: string;
  readonly path?: string;
  readonly branch?: string;
  readonly subdirectory?: string;
}

export const DEFAULT_CONFIG: Config = {
  migrate: { path: 'packages/{shortName}', tags: '{name}@{version}', packages: byName([]) },
};

/** What a path pattern and a tag pattern may hold in braces. */
const PATH_HOLES: readonly string[] = ['name', 'shortName'];
export const TAG_HOLES: readonly string[] = ['name', 'shortName', 'version', 'tag'];

/** What is wrong with a pattern, as the end of a sentence that begins with its name; `undefined`: nothing. */
export function findPatternFlaw(pattern: string, holes: readonly string[]): string | undefined {
  const odd = [...pattern.matchAll(/\{([^}]*)\}/g)].find((hole) => !holes.includes(hole[1] ?? ''));
  return odd === undefined ? undefined : `has ${odd[0]}, which means nothing here; known: ${holes.map((hole) => `{${hole}}`).join(', ')}`;
}

/** The keys that lead to a value, from the top of the file. */
export type KeyPath = readonly string[];

/** Called for the first thing that is wrong; it must throw. It knows the file, so it can name the line. */
export type ConfigFailure = (path: KeyPath, message: string) => never;

/** The parsed JSON of `tributary.json` as a `Config`, with defaults filled in. Calls `fail` for unknown keys and wrong types. */
export function parseConfig(value: unknown, fail: ConfigFailure): Config {
  const top = readObject(value, { path: [], keys: ['$schema', 'migrate'], fail });
  return { migrate: top['migrate'] === undefined ? DEFAULT_CONFIG.migrate : parseMigrate(top['migrate'], fail) };
}

function parseMigrate(value: unknown, fail: ConfigFailure): MigrateConfig {
  const path = ['migrate'];
  const block = readObject(value, { path, keys: ['path', 'tags', 'packages'], fail });
  const packages = block['packages'] === undefined ? {} : readObject(block['packages'], { path: [...path, 'packages'], fail });
  return {
    path: readPattern(block['path'] === undefined ? DEFAULT_CONFIG.migrate.path : block['path'], {
      path: [...path, 'path'],
      holes: PATH_HOLES,
      fail,
    }),
    tags:
      block['tags'] === false
        ? false
        : readPattern(block['tags'] === undefined ? DEFAULT_CONFIG.migrate.tags : block['tags'], {
            path: [...path, 'tags'],
            holes: TAG_HOLES,
            fail,
          }),
    packages: byName(
      Object.entries(packages).map(([name, entry]) => [name, parsePackageSource(entry, { path: [...path, 'packages', name], fail })]),
    ),
  };
}

/** Without what every object has: a package may be called `constructor`. */
function byName(sources: readonly (readonly [string, PackageSource])[]): Readonly<Record<string, PackageSource>> {
  return Object.assign(Object.create(null), Object.fromEntries(sources));
}

function parsePackageSource(value: unknown, at: { path: KeyPath; fail: ConfigFailure }): PackageSource {
  const keys = ['source', 'path', 'branch', 'subdirectory'] as const;
  const entry = readObject(value, { ...at, keys });
  if (entry['source'] === undefined) at.fail(at.path, 'needs "source", the address or path of the repository');
  const texts = keys
    .filter((key) => entry[key] !== undefined)
    .map((key) => [key, readText(entry[key], { path: [...at.path, key], fail: at.fail })] as const);
  return Object.fromEntries(texts) as unknown as PackageSource;
}

function readObject(
  value: unknown,
  at: { path: KeyPath; keys?: readonly string[]; fail: ConfigFailure },
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return at.fail(at.path, `must be an object, not ${nameOf(value)}`);
  const unknown = at.keys === undefined ? undefined : Object.keys(value).find((key) => !at.keys?.includes(key));
  if (unknown !== undefined)
    at.fail([...at.path, unknown], `is not a known key; known here: ${at.keys?.filter((key) => key !== '$schema').join(', ')}`);
  return value as Record<string, unknown>;
}

function readText(value: unknown, at: { path: KeyPath; fail: ConfigFailure }): string {
  if (typeof value !== 'string' || value === '') return at.fail(at.path, `must be a text that is not empty, not ${nameOf(value)}`);
  return value;
}

function readPattern(value: unknown, at: { path: KeyPath; holes: readonly string[]; fail: ConfigFailure }): string {
  const text = readText(value, at);
  const flaw = findPatternFlaw(text, at.holes);
  return flaw === undefined ? text : at.fail(at.path, flaw);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty one';
  return typeof value === 'object' ? 'an object' : `${JSON.stringify(value)}`;
}
