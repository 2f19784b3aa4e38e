import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson } from '../../edit/edit-json.js';
import type { Message } from '../../message.js';
import type { RuleSubject } from '../rule.js';

/** The fields of a package.json, by key. */
export type ManifestFields = Readonly<Record<string, unknown>>;

/** Returns the fields of the text of a manifest; none if it cannot be read. */
export function fieldsIn(text: string | undefined): ManifestFields {
  const fields = readLooseJson(text ?? '');
  return isPlainObject(fields) ? fields : {};
}

/** Returns the scripts of a manifest, by name. */
export function scriptsOf({ scripts }: ManifestFields): Readonly<Record<string, string>> {
  const all = isPlainObject(scripts) ? Object.entries(scripts) : [];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A manifest to check, including earlier changes. */
export interface ManifestSubject {
  readonly text: string;
  readonly manifest: ManifestFields;
  /** The fields of the root package.json. */
  readonly root: ManifestFields;
  readonly subject: RuleSubject;
}

export interface FieldOutcome {
  /** `undefined` if nothing changes. */
  readonly text?: string;
  /** `undefined` if nothing was done. */
  readonly done?: Message;
  readonly remarks?: readonly Message[];
}

/** Checks one aspect of a manifest; returns `undefined` if there is nothing to report. */
export type FieldCheck = (subject: ManifestSubject) => FieldOutcome | undefined;
