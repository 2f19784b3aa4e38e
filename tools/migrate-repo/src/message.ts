import type { TopicId } from './topics.js';

/** What is said of a package, or of one of its files, in Markdown. */
export interface Message {
  /** A sentence or more that are word for word the same wherever they are true, so that they need to be said once only. */
  readonly text: string;
  /** What is particular to this place; `undefined`: nothing. */
  readonly detail?: string | undefined;
  /** The decision that it is a reason for; `undefined`: none, it is only worth knowing. */
  readonly topic?: TopicId | undefined;
}

/** Something that is said once, with all that it is true of. */
export interface GroupedMessage {
  /** In Markdown. */
  readonly text: string;
  /** In the order of the packages; empty where the text itself names whom it concerns. */
  readonly about: readonly MessageSubject[];
}

export interface MessageSubject {
  readonly package: string;
  /** A file or folder, from the folder of the package or, if it went to the root, from there; or a setting; `null`: the package as a whole. */
  readonly place: string | null;
  /** In Markdown: what is particular to this place. */
  readonly detail: string | null;
}

/** Something that is said of one place. */
export interface Remark extends Message {
  readonly package: string;
  readonly place: string | null;
}

/** What is said in the same words becomes one, with the places below it; in the order in which it is said first. A place with the same detail counts once. */
export function groupMessages(remarks: readonly Remark[]): readonly GroupedMessage[] {
  const places = new Map<string, Map<string, MessageSubject>>();
  for (const { text, detail = null, ...where } of remarks) {
    const known = places.get(text) ?? new Map<string, MessageSubject>();
    const place = { package: where.package, place: where.place, detail };
    known.set(JSON.stringify(place), place);
    places.set(text, known);
  }
  return [...places].map(([text, known]) => ({ text, about: [...known.values()] }));
}
