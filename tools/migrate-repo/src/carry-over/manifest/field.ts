import type { Fields } from '../../fields.js';
import type { Message } from '../../message.js';
import type { RuleSubject } from '../rule.js';

/** A manifest to check, including earlier changes. */
export interface ManifestSubject {
  readonly text: string;
  readonly manifest: Fields;
  /** The fields of the root package.json. */
  readonly root: Fields;
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
