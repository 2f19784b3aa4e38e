import { hash } from 'node:crypto';
import type { Event } from '../model/event.js';
import { keyTextOf } from '../model/event-key.js';

/** All facts of an event, except when it was recorded and which event it replaces. */
const FACTS = [
  ...(['repo', 'change', 'package', 'consumer', 'stage', 'attempt', 'startedAt', 'endedAt'] as const),
  ...(['outcome', 'actor', 'source', 'confidence', 'release', 'channel', 'team', 'url'] as const),
];

const PREFIX = 'collected-';
const ID_LENGTH = 20;
/** 66 bits: among a million events, the chance that two have the same is one in a hundred million. */
const SHORT = 11;

/** Returns the id of an event. The same facts give the same id in every collection. */
export function idOf(facts: Omit<Event, 'id' | 'recordedAt'>): string {
  const known = FACTS.map((key) => facts[key] ?? '');
  // Omitted if unknown, so that events recorded before this field existed keep their ids.
  const text = (facts.files === undefined ? known : [...known, facts.files]).join('\0');
  return `${PREFIX}${hash('sha256', text, 'base64url').slice(0, ID_LENGTH)}`;
}

/** Returns the part of an id that identifies recorded events. */
export function shortId(id: string): string {
  return id.slice(PREFIX.length, PREFIX.length + SHORT);
}

/** The common prefix of ids, and the length of `shortId`. */
export const COLLECTED = { prefix: PREFIX, length: SHORT } as const;

/** Returns the key of an event as a short text. An event and its corrections have the same key. */
export function keyOf(event: Event): string {
  return hash('sha256', keyTextOf(event), 'base64url').slice(0, ID_LENGTH);
}
