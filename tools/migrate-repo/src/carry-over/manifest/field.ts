import type { Message } from '../../message.js';
import type { Subject } from '../rule.js';

/** The fields of a package.json, by key. */
export type Fields = Readonly<Record<string, unknown>>;

/** A manifest to check, including earlier changes. */
export interface ManifestSubject {
  readonly text: string;
  readonly manifest: Fields;
  /** The fields of the root package.json. */
  readonly root: Fields;
  readonly subject: Subject;
}

export interface FieldOutcome {
  /** `undefined` if nothing changes. */
  readonly text?: string;
  /** `undefined` if nothing was done. */
  readonly done?: Message;
  readonly remarks?: readonly Message[];
}

/** Checks one aspect of a manifest; returns `undefined` if there is nothing to report. */
export type Field = (subject: ManifestSubject) => FieldOutcome | undefined;
