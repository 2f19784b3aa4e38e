import { isPlainObject } from '@tributary/model/plain-object';

/** An object of JSON or YAML. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns an empty object for what is none. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The fields that are texts, of all objects together. */
export function textsOf(...objects: readonly unknown[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const object of objects) {
    for (const [name, text] of Object.entries(fieldsOf(object))) if (typeof text === 'string') texts.set(name, text);
  }
  return texts;
}

/** The names of `peerDependenciesMeta` that are optional. pnpm's file is read as texts alone. */
export function optionalPeersOf(fields: Fields): ReadonlySet<string> {
  const meta = Object.entries(fieldsOf(fields['peerDependenciesMeta']));
  return new Set(meta.flatMap(([name, own]) => (String(fieldsOf(own)['optional']) === 'true' ? [name] : [])));
}

/** Not as fsevents is. */
export function isForAllPlatforms({ os, cpu }: Fields): boolean {
  return os === undefined && cpu === undefined;
}
