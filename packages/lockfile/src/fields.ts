import { isRecord } from '@tributary/model/record';
import type { LockEntry } from './lockfile.js';

/** An object of JSON or YAML. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns an empty object for what is none. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The fields that are texts. */
export function textsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(fieldsOf(value)).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])));
}

/** What npm and pnpm take over from the manifest of a package. */
export function metadataOf(fields: Fields): Pick<LockEntry, 'peerDependencies' | 'optionalPeers' | 'conditions'> {
  const meta = Object.entries(fieldsOf(fields['peerDependenciesMeta']));
  const platforms = ['os', 'cpu'].filter((field) => fields[field] !== undefined);
  return {
    peerDependencies: textsOf(fields['peerDependencies']),
    // pnpm's file is read as texts alone.
    optionalPeers: new Set(meta.flatMap(([name, own]) => (String(fieldsOf(own)['optional']) === 'true' ? [name] : []))),
    conditions: platforms.length === 0 ? undefined : platforms.map((field) => `${field}=${String(fields[field])}`).join(' & '),
  };
}
