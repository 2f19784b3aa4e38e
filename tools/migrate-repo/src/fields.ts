import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson } from './edit/edit-json.js';

/** The fields of a package.json or of other settings, by key. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a JSON text; none if it cannot be read, or is missing. */
export function fieldsIn(text: string | undefined): Fields {
  return asFields(readLooseJson(text ?? ''));
}

/** Returns the map in a field; empty if there is none. */
export function mapIn(fields: Fields, key: string): Fields {
  return asFields(fields[key]);
}

function asFields(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** Returns the entries of a map whose values are texts. */
export function textsOf(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(asFields(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** Returns the scripts of a manifest, by name. */
export function scriptsOf({ scripts }: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(textsOf(scripts));
}

/** Scripts of a workspace that every `yarn install` of the monorepo runs. Source: https://yarnpkg.com/advanced/lifecycle-scripts */
export const INSTALL_SCRIPTS: readonly string[] = ['preinstall', 'install', 'postinstall'];

/** Returns the names of a manifest's scripts that an installation runs. */
export function installScriptsOf(manifest: Fields): readonly string[] {
  return INSTALL_SCRIPTS.filter((name) => Object.hasOwn(scriptsOf(manifest), name));
}
