import { isPlainObject } from '@tributary/model/plain-object';

/** An object of JSON or YAML. */
export type LockFields = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object; otherwise an empty object. */
export function fieldsOf(value: unknown): LockFields {
  return isPlainObject(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the fields with string values, of all objects together. */
export function textsOf(...objects: readonly unknown[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const object of objects) {
    for (const [name, text] of Object.entries(fieldsOf(object))) if (typeof text === 'string') texts.set(name, text);
  }
  return texts;
}

/** Returns the names that `peerDependenciesMeta` marks as optional. In pnpm's file all values are strings. */
export function optionalPeersOf(fields: LockFields): ReadonlySet<string> {
  const meta = Object.entries(fieldsOf(fields['peerDependenciesMeta']));
  return new Set(meta.flatMap(([name, own]) => (String(fieldsOf(own)['optional']) === 'true' ? [name] : [])));
}

/** Returns the names of optional dependencies. */
export function optionalOf(fields: LockFields): readonly string[] {
  return Object.keys(fieldsOf(fields['optionalDependencies']));
}

/** Whether some names are of prebuilt packages for each platform, such as `@esbuild/linux-x64`. */
export function hasPlatformPackages(names: readonly string[]): boolean {
  return [/linux/, /darwin/, /win(?:32|dows)/].every((platform) => names.some((name) => platform.test(name)));
}

/** Returns whether a package is for all platforms, unlike fsevents. */
export function isForAllPlatforms({ os, cpu }: LockFields): boolean {
  return os === undefined && cpu === undefined;
}
