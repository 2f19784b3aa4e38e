import type { GroupedMessage, MessageSubject } from './result/result.js';
import { someOf } from './text.js';
import type { TopicId } from './topics.js';

/** A message about a package or one of its files, in Markdown. */
export interface Message {
  /** One or more sentences, with the same words wherever they apply, so that a report can print them once. */
  readonly text: string;
  /** What is specific to this place; `undefined` if nothing is. */
  readonly detail?: string | undefined;
  /** The decision that it is a reason for; `undefined` if it is only information. */
  readonly topic?: TopicId | undefined;
}

/** Returns a message whose detail lists what was found, at most so many; nothing if nothing was found. */
export function listing(message: Message, found: readonly string[], most = Number.POSITIVE_INFINITY): readonly Message[] {
  return found.length === 0 ? [] : [{ ...message, detail: someOf(found, most) }];
}

/** A message about one place. */
export interface Remark extends Message {
  readonly package: string;
  readonly place: string | null;
}

/** Groups remarks with the same text, in order of first appearance, each with its places. Places with the same detail are listed once. */
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
