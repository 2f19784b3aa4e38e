import type { Message } from '../../message.js';
import type { Subject } from '../rule.js';

/** What a package.json says, by its keys. */
export type Fields = Readonly<Record<string, unknown>>;

/** A manifest that is looked at, with what has been changed in it before. */
export interface ManifestSubject {
  readonly text: string;
  readonly manifest: Fields;
  /** Of the root package.json. */
  readonly root: Fields;
  readonly subject: Subject;
}

export interface FieldOutcome {
  /** `undefined`: nothing changes. */
  readonly text?: string;
  /** `undefined`: nothing was done. */
  readonly done?: Message;
  readonly remarks?: readonly Message[];
}

/** Looks at one thing in a manifest; `undefined`: there is nothing to say. */
export type Field = (subject: ManifestSubject) => FieldOutcome | undefined;
