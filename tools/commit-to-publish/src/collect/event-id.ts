import { createHash } from 'node:crypto';
import type { Event } from '../model/event.js';
import { keyTextOf } from '../model/event-key.js';

/** All that an event says, but when it was recorded, and in place of what. */
const FACTS = [
  ...(['repo', 'change', 'package', 'consumer', 'stage', 'attempt', 'startedAt', 'endedAt'] as const),
  ...(['outcome', 'actor', 'source', 'confidence', 'release', 'channel', 'team', 'url'] as const),
];

const PREFIX = 'collected-';
const ID_LENGTH = 20;
/** 66 bits: of a million events two are the same once in a hundred million. */
const SHORT = 11;

/** The same facts give the same id, whenever they are collected. */
export function idOf(facts: Omit<Event, 'id' | 'recordedAt'>): string {
  const known = FACTS.map((key) => facts[key] ?? '');
  // Events from before this fact was known keep their ids.
  const text = (facts.files === undefined ? known : [...known, facts.files]).join('\0');
  return `${PREFIX}${createHash('sha256').update(text).digest('base64url').slice(0, ID_LENGTH)}`;
}

/** The part of an id by which it is known that it was recorded. */
export function shortId(id: string): string {
  return id.slice(PREFIX.length, PREFIX.length + SHORT);
}

/** The ids that `shortId` shortens begin with it. */
export const COLLECTED = { prefix: PREFIX, length: SHORT } as const;

/** What events have in common that are one and its corrections, as a short text. */
export function keyOf(event: Event): string {
  return createHash('sha256').update(keyTextOf(event)).digest('base64url').slice(0, ID_LENGTH);
}
