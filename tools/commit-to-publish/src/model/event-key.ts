import type { Event } from './event.js';

/**
 * The fields that identify an event. Of events with the same key one counts: highest revision first, then `exact` before `derived`, then
 * the last recorded.
 */
export const EVENT_KEY = ['repo', 'change', 'package', 'consumer', 'stage', 'attempt'] as const;

export function keyTextOf(event: Event): string {
  return EVENT_KEY.map((field) => event[field] ?? '').join('\0');
}
