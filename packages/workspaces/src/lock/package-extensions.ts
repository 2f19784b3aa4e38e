import { ToolError } from '@tributary/model/errors';

/** An addition to the manifest of some versions of a package. */
export interface PackageExtension {
  readonly name: string;
  /** The versions, as a semver range. */
  readonly range: string;
  /** Name -> range. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** The whole extension, for comparisons. */
  readonly text: string;
}

/** In the order of the file; if two add the same dependency, the first counts. */
export type PackageExtensions = readonly PackageExtension[];

/**
 * Reads the value of `packageExtensions` in a `.yarnrc.yml`; `undefined` if it has none. Throws `CONFIG_INVALID` for values that Yarn
 * rejects. Source: `Configuration.getPackageExtensions` of @yarnpkg/core.
 */
export function parsePackageExtensions(value: unknown): PackageExtensions {
  if (value === undefined || value === null) return [];
  return entriesOf(value, 'packageExtensions').map(([key, extension]) => buildExtension(key, extension));
}

/** Reads one extension; `key` is the package with its versions. Throws `CONFIG_INVALID`. */
export function buildExtension(key: string, extension: unknown): PackageExtension {
  const setting = `packageExtensions["${key}"]`;
  const at = key.indexOf('@', 1);
  const fields = new Map(entriesOf(extension, setting));
  const dependencies = entriesOf(fields.get('dependencies') ?? {}, `${setting}.dependencies`);
  // The dependents provide peers, so they lead nowhere new.
  entriesOf(fields.get('peerDependencies') ?? {}, `${setting}.peerDependencies`);
  return {
    name: at < 0 ? key : key.slice(0, at),
    range: at < 0 ? '*' : key.slice(at + 1),
    dependencies: new Map(dependencies.map(([name, range]) => [name, String(range)])),
    text: JSON.stringify([key, extension]),
  };
}

function entriesOf(value: unknown, setting: string): readonly (readonly [string, unknown])[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new ToolError({ code: 'CONFIG_INVALID', message: `.yarnrc.yml: ${setting} should be a map.`, data: { key: setting } });
}

/** Returns the names of the packages whose extensions differ. */
export function changedExtensions(base: PackageExtensions, head: PackageExtensions): ReadonlySet<string> {
  const before = textsByName(base);
  const after = textsByName(head);
  return new Set([...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name)));
}

function textsByName(extensions: PackageExtensions): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { name, text } of extensions) texts.set(name, `${texts.get(name) ?? ''}${text}\n`);
  return texts;
}
