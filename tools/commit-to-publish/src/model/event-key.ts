import type { Event } from './event.js';

/** Events that have all of these in common are one: that of the highest revision counts, then what is exact before what is derived, then what was recorded last. */
export const EVENT_KEY = ['repo', 'change', 'package', 'consumer', 'stage', 'attempt'] as const;

/** Returns the key of an event as a text. */
export function keyTextOf(event: Event): string {
  return EVENT_KEY.map((field) => event[field] ?? '').join('\0');
}
